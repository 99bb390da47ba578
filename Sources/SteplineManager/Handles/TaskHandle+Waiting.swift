import Dispatch
import Foundation
import SteplineSupport

extension TaskHandle {
    /// Blocks the current thread until the task has ended; for synchronous code only.
    ///
    /// On the main thread the method runs the main run loop meanwhile.
    ///
    /// - Parameter limit: The maximum time to wait; nil for no limit. A timeout doesn't affect the task.
    /// - Returns: The value of the task.
    /// - Throws: The task's error, or `CancellationError` if it was cancelled. `.wouldBlock` in a Swift task or a
    ///   manager's callback. `.stillRunning` when `limit` has passed.
    @available(*, noasync, message: "await the handle's value instead")
    public func wait(atMost limit: Duration? = nil) throws -> Success {
        // Blocking a cooperative thread, or a thread that delivers callbacks, could block the awaited task.
        guard withUnsafeCurrentTask(body: { $0 == nil }), ManagerPlace.current == nil else {
            throw record.error(.wouldBlock)
        }
        let servesMain = Thread.isMainThread
        let waiter = ThreadWaiter(servesMain: servesMain)
        if control.addWaiter(waiter, to: record), !wait(for: waiter, servesMain: servesMain, atMost: limit) {
            control.removeWaiter(waiter, from: record)
        }
        // The task may end between the time limit and this line: use its outcome then.
        guard let outcome = currentOutcome else { throw record.error(.stillRunning) }
        return try outcome.get()
    }

    private func wait(for end: ThreadWaiter, servesMain: Bool, atMost limit: Duration?) -> Bool {
        // Limits of more than 68 years count as no limit.
        let limit = limit.flatMap { $0 < .seconds(1 << 31) ? max($0, .zero) : nil }
        guard servesMain else {
            guard let limit else {
                end.wait()
                return true
            }
            return end.wait(until: .now() + limit.inSeconds)
        }
        let deadline = limit.map { Date(timeIntervalSinceNow: $0.inSeconds) } ?? .distantFuture
        // The main thread polls the semaphore, and runs callbacks for the main queue in between.
        while !end.wait(until: .now()) {
            guard deadline.timeIntervalSinceNow > 0 else { return false }
            let next = min(deadline, Date(timeIntervalSinceNow: 0.1))
            // A run loop without sources returns at once: wait on the semaphore instead.
            if !RunLoop.main.run(mode: .default, before: next) {
                if end.wait(until: .now() + 0.001) { return true }
            }
        }
        return true
    }
}
