import Foundation
import SteplineSupport

/// A barrier that holds the world still: who comes to it waits until it is opened, once and for all.
public final class Gate: Sendable {
    private let opened = OneShot<Void>()
    private let arrivals = Recorder<Void>()
    private let condition = NSCondition()
    private let isOpenState = Locked(false)

    /// Makes a closed gate.
    public init() {}

    /// Whether it has been opened.
    public var isOpen: Bool { isOpenState.withLock { $0 } }

    /// Lets all through, those who wait and those who come later.
    public func open() {
        isOpenState.withLock { $0 = true }
        opened.fulfill(())
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    /// Waits for the gate to be opened, without holding a thread.
    public func wait() async {
        arrivals.record(())
        await opened.value
    }

    /// Waits for the gate to be opened, with the thread: for bodies that are meant to block one.
    ///
    /// Gives up after four minutes, so that a failing test ends; false then.
    @discardableResult
    public func block() -> Bool {
        arrivals.record(())
        let deadline = Date().addingTimeInterval(240)
        condition.lock()
        defer { condition.unlock() }
        while !isOpen {
            guard condition.wait(until: deadline) else { return isOpen }
        }
        return true
    }

    /// Waits until so many have come to the gate.
    public func waitForArrivals(_ count: Int = 1) async {
        await arrivals.waitForCount(count)
    }
}
