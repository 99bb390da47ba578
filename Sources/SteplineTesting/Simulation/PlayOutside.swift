import Dispatch
import SteplineSupport
import Synchronization

/// What comes to a play from other threads, and how long that waits for it.
final class PlayOutside: Sendable {
    private struct State {
        var items: [PlayItem] = []
        var isClosed = false
    }

    private let state = Locked(State())
    private let wakeup = DispatchSemaphore(value: 0)
    /// Whether it is waited for.
    let isAwaited = Atomic(false)

    /// Adds something, from any thread; false if the play is over.
    func add(_ item: PlayItem) -> Bool {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.items.append(item) }
            return !state.isClosed
        }
        if isOpen { wakeup.signal() }
        return isOpen
    }

    /// What has come.
    func take() -> [PlayItem] {
        state.withLock { state in
            defer { state.items = [] }
            return state.items
        }
    }

    /// What has come last; from here on nothing more is taken.
    func close() -> [PlayItem] {
        state.withLock { state in
            defer { state.items = [] }
            state.isClosed = true
            return state.items
        }
    }

    /// Whether something came within the time that is left for it, which it takes that time from.
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
