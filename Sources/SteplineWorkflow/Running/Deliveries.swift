import SteplineEngine
import SteplineSupport

/// Callbacks about a success or failure that wait in a queue.
///
/// A cancel on such a queue withdraws them: none of them begins there any more. Each callback claims its entry when it
/// begins.
final class Deliveries: Sendable {
    private struct State {
        var waiting: [UInt64: (number: Int32, place: CallbackPlace)] = [:]
        var last: UInt64 = 0
    }

    private let state = Locked(State())

    /// Calls `call` in its place, unless it is withdrawn before.
    func add(_ number: Int32, _ place: CallbackPlace, _ call: @escaping @Sendable () -> Void) {
        // The call is made here and now, so a later cancel has nothing to withdraw.
        if place == .anywhere { return call() }
        let id = state.withLock { state in
            state.last += 1
            state.waiting[state.last] = (number, place)
            return state.last
        }
        place.perform { [self] in
            // The callback begins if it removes its entry, unless a withdrawal has done so before. Called after unlock.
            if state.withLock({ $0.waiting.removeValue(forKey: id) }) != nil { call() }
        }
    }

    /// Withdraws the callbacks about these tasks, or about all, of the queue that this thread runs.
    func withdrawHere(_ numbers: [Int32]? = nil) {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return }
            let meant = numbers.map(Set.init)
            // Only callbacks of this thread's queue: on another queue one may be about to begin.
            state.waiting = state.waiting.filter { _, due in
                !due.place.isHere || meant?.contains(due.number) == false
            }
        }
    }
}
