import Foundation

/// An operation that ends when `finish()` is called, and occupies no thread until then.
class AsyncOperation: Operation, @unchecked Sendable {
    private enum Phase { case ready, executing, finished }

    private let lock = NSLock()
    private var phase = Phase.ready
    private var stop: (@Sendable () -> Void)?

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { phase == .executing } }
    override var isFinished: Bool { lock.withLock { phase == .finished } }

    override func start() {
        guard !isCancelled else { return finish() }
        enter(.executing, telling: ["isExecuting"])
        main()
    }

    func finish() { enter(.finished, telling: ["isExecuting", "isFinished"]) }

    /// Sets the closure that stops the operation's work.
    func onCancel(_ stop: @escaping @Sendable () -> Void) {
        lock.withLock { self.stop = stop }
        if isCancelled { stop() }
    }

    override func cancel() {
        super.cancel()
        lock.withLock { stop }?()
    }

    private func enter(_ phase: Phase, telling keys: [String]) {
        for key in keys { willChangeValue(forKey: key) }
        lock.withLock { self.phase = phase }
        for key in keys { didChangeValue(forKey: key) }
    }
}

extension OperationQueue {
    /// Runs operations and waits for their end; cancelling the caller cancels them.
    func run(_ operations: [Operation]) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { ended in
                addOperations(operations, waitUntilFinished: false)
                // A barrier block would be cancelled with the others, and couldn't report their end.
                Thread.detachNewThread {
                    self.waitUntilAllOperationsAreFinished()
                    ended.resume()
                }
            }
        } onCancel: {
            cancelAllOperations()
        }
    }
}
