import Foundation
import SteplineSupport

/// A barrier for tests: arriving tasks and threads wait until the gate is opened, once and permanently.
public final class Gate: Sendable {
    private let opened = OneShot<Void>()
    private let arrivals = Recorder<Void>()
    private let condition = NSCondition()
    private let isOpenState = Locked(false)

    /// Creates a closed gate.
    public init() {}

    /// Whether the gate was opened.
    public var isOpen: Bool { isOpenState.withLock { $0 } }

    /// Opens the gate for all current and later arrivals.
    public func open() {
        isOpenState.withLock { $0 = true }
        opened.fulfill(())
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    /// Waits for the gate to open, without occupying a thread.
    public func wait() async {
        arrivals.record(())
        await opened.value
    }

    /// Blocks the current thread until the gate opens; for bodies that should block a thread.
    ///
    /// - Returns: False if the gate didn't open within four minutes; a failing test ends then.
    @discardableResult
    public func block() -> Bool {
        arrivals.record(())
        let deadline = Date().addingTimeInterval(240)
        condition.lock()
        defer { condition.unlock() }
        while !isOpen {
            // Condition variables may wake spuriously, so the loop checks the state.
            guard condition.wait(until: deadline) else { return isOpen }
        }
        return true
    }

    /// Waits until the given number of arrivals.
    public func waitForArrivals(_ count: Int = 1) async {
        await arrivals.waitForCount(count)
    }
}
