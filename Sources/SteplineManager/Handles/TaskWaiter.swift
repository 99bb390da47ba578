import Dispatch
import SteplineSupport

/// A Swift task that waits for an end.
final class TaskWaiter: Waiter {
    private let end = OneShot<Void>()

    var value: Void { get async { await end.value } }

    func wake() { end.fulfill(()) }
}

/// A thread that waits for an end.
final class ThreadWaiter: Waiter {
    private let end = DispatchSemaphore(value: 0)
    private let servesMain: Bool

    init(servesMain: Bool) { self.servesMain = servesMain }

    func wake() {
        end.signal()
        // An empty block wakes the main thread's run loop.
        if servesMain { DispatchQueue.main.async {} }
    }

    func wait() { end.wait() }

    /// Waits until `time`; returns false on a timeout.
    func wait(until time: DispatchTime) -> Bool { end.wait(timeout: time) == .success }
}
