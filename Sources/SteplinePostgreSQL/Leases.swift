import Dispatch
import SteplineRuns
import SteplineSupport

/// Renews the leases of the runs that this process owns, three times within each lease.
///
/// All renewals run on a serial queue of their own, from the first open run until a timer finds none.
///
/// A lease that has expired by the server's clock lets another process take the run over. The expiry alone changes
/// nothing for the owner: until a takeover its renewals and writes succeed and renew the lease. After a takeover the
/// next write of the run throws `ownershipLost`; see `PostgreSQLOpenRun`.
final class Leases: Sendable {
    private struct State {
        /// The opening number of each run, which identifies this ownership.
        var held: [Int: UInt64] = [:]
        /// Whether a timer is set or a renewal is in progress, which sets the next timer.
        var isBeating = false
    }

    /// The length of a lease.
    let length: Duration
    private let sessions: Sessions
    private let clock: any StepClock
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "stepline.runs.leases")

    init(_ sessions: Sessions, length: Duration, clock: any StepClock) {
        self.sessions = sessions
        self.length = length
        self.clock = clock
    }

    func add(_ run: Int, _ opening: UInt64) {
        // Only the first run starts the timer: the timer then renews all of them.
        let isFirst = state.withLock { state in
            state.held[run] = opening
            defer { state.isBeating = true }
            return !state.isBeating
        }
        if isFirst { setTimer(after: pause) }
    }

    func remove(_ run: Int, _ opening: UInt64) {
        // The run may have been opened again under another number.
        state.withLock { if $0.held[run] == opening { $0.held[run] = nil } }
    }

    /// The time from one renewal to the next.
    private var pause: Duration { max(length / 3, .milliseconds(1)) }

    private func setTimer(after time: Duration) {
        let beat: @Sendable () -> Void = { [weak self] in self?.beat() }
        // System timers call on a thread of Dispatch's shared pool, which blocking bodies can exhaust. A serial
        // queue of its own gets a thread even then.
        if clock is LeaseClock {
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(time.wholeNanoseconds)), execute: beat)
        } else {
            clock.scheduleInBackground(after: time) { [queue] in queue.async(execute: beat) }
        }
    }

    /// Renews the leases and sets the next timer; stops if no run is open.
    private func beat() {
        let start = clock.uptime
        let held = state.withLock { state in
            state.isBeating = !state.held.isEmpty
            return state.held
        }
        guard !held.isEmpty else { return }
        renew(all: held)
        // Subtract the time of the renewal, so that slow servers don't stretch the interval.
        setTimer(after: max(start + pause - clock.uptime, .zero))
    }

    private func renew(all runs: [Int: UInt64]) {
        var held = runs
        // A row locked by a write of this process is skipped and tried again shortly. The write renews the lease too.
        for look in 0..<5 where !held.isEmpty {
            if look > 0 { Pauses.wait(.milliseconds(20)) }
            // After an error, later renewals may succeed, also after the expiry. A write reports a takeover.
            guard let renewed = try? renew(held) else { return }
            for run in renewed { held[run] = nil }
        }
    }

    /// Renews the leases of rows that no transaction has locked; returns their runs.
    private func renew(_ held: [Int: UInt64]) throws -> [Int] {
        // SKIP LOCKED: one busy run must not delay the leases of all others.
        try sessions.run(
            """
            WITH free AS (
                SELECT id FROM unnest($1::int8[], $2::int8[]) AS held (run, own)
                CROSS JOIN LATERAL (
                    SELECT id FROM stepline.runs
                    WHERE id = held.run AND opening = held.own AND held_until IS NOT NULL
                    LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS found)
            UPDATE stepline.runs SET held_until = stepline.clock() + $3 * interval '1 second'
            WHERE id = ANY(ARRAY(SELECT id FROM free)) RETURNING id
            """,
            [.list(held.keys.map(Int?.some)), .list(held.values.map { $0 }), Value(length / .seconds(1))],
            patience: length / 6
        ).rows.map { $0.integer(0) }
    }
}
