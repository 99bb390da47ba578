import SteplineEngine
import SteplineSupport

/// Calls that tell of a success or failure and wait in a queue for their turn.
///
/// Who cancels on such a queue hears of none of them any more.
final class Deliveries: Sendable {
    private struct State {
        var waiting: [UInt64: (number: Int32, place: CallbackPlace)] = [:]
        var last: UInt64 = 0
    }

    private let state = Locked(State())

    /// Calls `call` in its place, unless it is taken back before it has begun there.
    func add(_ number: Int32, _ place: CallbackPlace, _ call: @escaping @Sendable () -> Void) {
        if place == .anywhere { return call() }
        let id = state.withLock { state in
            state.last += 1
            state.waiting[state.last] = (number, place)
            return state.last
        }
        place.perform { [self] in
            if state.withLock({ $0.waiting.removeValue(forKey: id) }) != nil { call() }
        }
    }

    /// Takes back what is to be told of these tasks, or of all, on the queue that this thread is on.
    func withdrawHere(_ numbers: [Int32]? = nil) {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return }
            let meant = numbers.map(Set.init)
            state.waiting = state.waiting.filter { _, due in
                !due.place.isHere || meant?.contains(due.number) == false
            }
        }
    }
}
