import Dispatch
import SteplineSupport

/// A worker's lease at its store, and the heartbeats that renew it.
///
/// Two threads send heartbeats. The worker's own thread sends one four times in a lease and acts on the answer. That
/// thread also runs code of a user's: it builds workflows, decodes inputs and reports news, which may take any time.
/// Meanwhile ``keep()`` renews the lease three times in its length, on a thread that does nothing else. It ignores the
/// answer, which the next heartbeat of the worker's thread gets as well.
///
/// An idle worker holds no steps. Its lease is twice as long, so that thousands of them cost a server little. Only its
/// own thread renews it.
///
/// Heartbeats are sent one at a time: the last one that the store took is the last one that is noted here.
final class WorkerLease: Sendable {
    private struct State {
        var membership: any WorkerMembership
        /// The uptime of the last heartbeat.
        var renewed: Duration
        /// The uptime at which the lease expires.
        var end: Duration
        /// Whether ``keep()`` has renewed the lease after its expiry: the steps may have been withdrawn meanwhile.
        var isUnheard = false
        var isClosed = false
    }

    private let length: Duration
    private let clock: any StepClock
    private let state: Locked<State>
    private let sending = DispatchSemaphore(value: 1)
    private let wakeUp = DispatchSemaphore(value: 0)

    /// The lease of a worker that joined its store at that uptime.
    init(of membership: any WorkerMembership, since date: Duration, clock: any StepClock) {
        length = membership.lease
        self.clock = clock
        state = Locked(State(membership: membership, renewed: date, end: date + length))
    }

    /// Whether the lease has expired by this process's clock, so that another worker may have this worker's steps.
    ///
    /// After an expiry it stays so until the worker's thread has the answer to a heartbeat.
    var isOver: Bool { left <= .zero || state.withLock(\.isUnheard) }

    /// Whether the lease is that of an idle worker, which may not claim steps.
    var isLong: Bool { left > length }

    /// The time between two heartbeats of the worker's thread.
    func pause(isIdle: Bool) -> Duration { isIdle && isLong ? length : length / 4 }

    private var left: Duration {
        let now = clock.uptime
        return state.withLock { $0.end - now }
    }

    /// Restarts with the membership of a worker that joined again at that uptime.
    func restart(with membership: any WorkerMembership, since date: Duration) {
        state.withLock { state in
            (state.membership, state.renewed, state.end) = (membership, date, date + length)
            state.isUnheard = false
        }
    }

    /// Sends a heartbeat; nil if a sweep has removed the worker after the expiry, so that it holds no steps any more.
    func beat(asIdle: Bool) throws -> WorkerBeat? {
        // Held during the store call: otherwise an older heartbeat could be recorded after a newer one.
        sending.wait()
        defer { sending.signal() }
        let beat = try send(asIdle: asIdle)
        state.withLock { $0.isUnheard = false }
        return beat
    }

    /// Renews the lease whenever the worker's thread didn't for a third of it, until ``close()``; blocks its thread.
    func keep() {
        let pause = length / 3
        var date = state.withLock(\.renewed) + pause
        while !state.withLock(\.isClosed) {
            wakeUp.wait(until: date, by: clock)
            sending.wait()
            let now = clock.uptime
            // An idle lease is longer than `length`: a heartbeat from here would shorten it.
            let isDue = state.withLock { !$0.isClosed && now >= $0.renewed + pause && $0.end - now <= length }
            // The worker's own heartbeat fails in the same way, and reports the error.
            if isDue { _ = try? send(asIdle: false) }
            sending.signal()
            // From the heartbeat itself: counted from `now`, the next wait could end just before a heartbeat is due,
            // and none would be sent for two pauses. An idle or refused lease was renewed longer ago.
            let next = state.withLock(\.renewed) + pause
            date = next > now ? next : now + pause
        }
    }

    /// Ends ``keep()``.
    func close() {
        state.withLock { $0.isClosed = true }
        // Interrupt the wait of `keep`, which may last a third of the lease.
        wakeUp.signal()
    }

    private func send(asIdle: Bool) throws -> WorkerBeat? {
        // Read the clock before the call: the lease must not end later here than in the store.
        let now = clock.uptime
        let time = asIdle ? length * 2 : length
        let membership = state.withLock { $0.membership }
        let beat = try membership.beat(for: time)
        state.withLock { state in
            // The worker may have joined again meanwhile.
            guard state.membership === membership else { return }
            if now >= state.end { state.isUnheard = true }
            // nil: a sweep has removed the worker. End the lease now, so that no prefetched step starts.
            (state.renewed, state.end) = (now, beat == nil ? now : now + time)
        }
        return beat
    }
}
