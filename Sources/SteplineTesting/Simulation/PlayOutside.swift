import Dispatch
import SteplineSupport
import Synchronization

/// The queue of events from other threads, and the run's wait for them.
final class PlayOutside: Sendable {
    private struct State {
        var items: [PlayItem] = []
        var isClosed = false
    }

    private let state = Locked(State())
    private let wakeup = DispatchSemaphore(value: 0)
    /// Whether the run is waiting.
    let isAwaited = Atomic(false)

    /// Adds an event from any thread; returns false if the run has ended.
    func add(_ item: PlayItem) -> Bool {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.items.append(item) }
            return !state.isClosed
        }
        // Signalled without the lock; a signal without a waiter only causes an extra check.
        if isOpen { wakeup.signal() }
        return isOpen
    }

    /// Returns and removes the events so far.
    func take() -> [PlayItem] {
        state.withLock { state in
            defer { state.items = [] }
            return state.items
        }
    }

    /// Closes the queue and returns the last events.
    func close() -> [PlayItem] {
        state.withLock { state in
            defer { state.items = [] }
            state.isClosed = true
            return state.items
        }
    }

    /// Waits for an event, and subtracts the waiting time; returns whether an event has arrived.
    func wait(from time: inout Duration) -> Bool {
        guard time > .zero else { return false }
        isAwaited.store(true, ordering: .relaxed)
        defer { isAwaited.store(false, ordering: .relaxed) }
        let began = ContinuousClock.now
        defer { time -= began.duration(to: .now) }
        let end = DispatchTime.now() + time.inSeconds
        repeat {
            if state.withLock({ !$0.items.isEmpty }) { return true }
        } while wakeup.wait(timeout: end) == .success
        return false
    }
}
