import SteplineEngine
import Synchronization

/// The interceptor or reactor that is being asked, and since when; written by the runner without the lock.
final class TurnProgress: Sendable {
    private let place = Atomic(0)
    private let nanoseconds = Atomic<Int64>(0)

    var position: Int { place.load(ordering: .relaxed) }
    var since: Instant { Instant(nanoseconds: nanoseconds.load(ordering: .relaxed)) }

    func begin(at time: Instant, position: Int = 0) {
        // Two separate stores: a reader may briefly combine the new position with the old time.
        place.store(position, ordering: .relaxed)
        nanoseconds.store(time.nanoseconds, ordering: .relaxed)
    }
}
