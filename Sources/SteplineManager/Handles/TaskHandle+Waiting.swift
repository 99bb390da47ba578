import Dispatch
import Foundation
import SteplineSupport

extension TaskHandle {
    /// Blocks the caller's thread until the task has ended, and returns the value: for synchronous code only.
    ///
    /// Throws the task's error, or `CancellationError` if it was cancelled; `.wouldBlock` at once in a Swift task or in
    /// a callback of a manager's; and `.stillRunning` when `limit` has passed, which leaves the task alone. On the main
    /// thread it serves the main queue meanwhile.
    @available(*, noasync, message: "await the handle's value instead")
    public func wait(atMost limit: Duration? = nil) throws -> Success {
        guard withUnsafeCurrentTask(body: { $0 == nil }), ManagerPlace.current == nil else {
            throw record.error(.wouldBlock)
        }
        let servesMain = Thread.isMainThread
        let waiter = ThreadWaiter(servesMain: servesMain)
        if door.addWaiter(waiter, to: record), !wait(for: waiter, servesMain: servesMain, atMost: limit) {
            door.removeWaiter(waiter, from: record)
        }
        guard let outcome = currentOutcome else { throw record.error(.stillRunning) }
        return try outcome.get()
    }

    private func wait(for end: ThreadWaiter, servesMain: Bool, atMost limit: Duration?) -> Bool {
        // Beyond a century no clock need be asked.
        let limit = limit.flatMap { $0 < .seconds(1 << 31) ? max($0, .zero) : nil }
        guard servesMain else {
            guard let limit else {
                end.wait()
                return true
            }
            return end.wait(until: .now() + limit.inSeconds)
        }
        let deadline = limit.map { Date(timeIntervalSinceNow: $0.inSeconds) } ?? .distantFuture
        while !end.wait(until: .now()) {
            guard deadline.timeIntervalSinceNow > 0 else { return false }
            let next = min(deadline, Date(timeIntervalSinceNow: 0.1))
            // Without anything to serve the run loop returns at once.
            if !RunLoop.main.run(mode: .default, before: next) {
                if end.wait(until: .now() + 0.001) { return true }
            }
        }
        return true
    }
}
