import Foundation

/// What the programs with operations stand on: an operation that ends when it says so, and holds no thread until then.
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

    /// Says how to stop what the operation has begun.
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
    /// Runs operations, and awaits their end; if its caller is cancelled, so are they.
    func run(_ operations: [Operation]) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { ended in
                addOperations(operations, waitUntilFinished: false)
                // A barrier would be cancelled with the others, and never say that they have ended.
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
