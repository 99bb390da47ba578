import Dispatch
import Foundation
import SteplineSupport

extension TaskHandle {
    /// Blocks the caller's thread until the task has ended, and returns the value: for synchronous code only.
    ///
    /// Throws the task's error; `.wouldBlock` at once in a Swift task or in a callback of a manager's; and
    /// `.stillRunning` when `limit` has passed, which leaves the task alone. On the main thread it serves the main
    /// queue meanwhile.
    @available(*, noasync, message: "await the handle's value instead")
    public func wait(atMost limit: Duration? = nil) throws -> Success {
        guard withUnsafeCurrentTask(body: { $0 == nil }), ManagerPlace.current == nil else {
            throw TaskManagerError(.wouldBlock, of: record)
        }
        let ended = DispatchSemaphore(value: 0)
        let servesMain = Thread.isMainThread
        let waiter = record.core.machine.withLock { _ in
            record.addWaiter {
                ended.signal()
                // Wakes the main thread's run loop.
                if servesMain { DispatchQueue.main.async {} }
            }
        }
        if let waiter, !wait(for: ended, servesMain: servesMain, atMost: limit) {
            _ = record.core.machine.withLock { _ in record.removeWaiter(waiter) }
        }
        guard let result = currentResult else { throw TaskManagerError(.stillRunning, of: record) }
        return try result.get()
    }

    private func wait(for end: DispatchSemaphore, servesMain: Bool, atMost limit: Duration?) -> Bool {
        // Beyond a century no clock need be asked.
        let limit = limit.flatMap { $0 < .seconds(1 << 31) ? max($0, .zero) : nil }
        guard servesMain else {
            guard let limit else {
                end.wait()
                return true
            }
            return end.wait(timeout: .now() + limit.inSeconds) == .success
        }
        let deadline = limit.map { Date(timeIntervalSinceNow: $0.inSeconds) } ?? .distantFuture
        while end.wait(timeout: .now()) == .timedOut {
            guard deadline.timeIntervalSinceNow > 0 else { return false }
            let next = min(deadline, Date(timeIntervalSinceNow: 0.1))
            // Without anything to serve the run loop returns at once.
            if !RunLoop.main.run(mode: .default, before: next) {
                if end.wait(timeout: .now() + 0.001) == .success { return true }
            }
        }
        return true
    }
}
