import Dispatch
import SteplineRuns
import SteplineSupport

/// Renews the leases of the runs that this process has open, three times in each lease.
///
/// All renewals run on a serial queue of its own, from the first open run until a timer finds none.
final class Leases: Sendable {
    private struct State {
        /// The openings of the runs, by their numbers.
        var held: [Int: UInt64] = [:]
        /// Whether a timer is set or a renewal goes on, which sets the next timer.
        var isBeating = false
    }

    /// How long one lasts.
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
        let isFirst = state.withLock { state in
            state.held[run] = opening
            defer { state.isBeating = true }
            return !state.isBeating
        }
        if isFirst { setTimer(after: pause) }
    }

    func remove(_ run: Int, _ opening: UInt64) {
        state.withLock { if $0.held[run] == opening { $0.held[run] = nil } }
    }

    /// The time between two renewals.
    private var pause: Duration { max(length / 3, .milliseconds(1)) }

    private func setTimer(after time: Duration) {
        let beat: @Sendable () -> Void = { [weak self] in self?.beat() }
        // A timer of the system's clock calls on a thread of Dispatch's pool, which blocking bodies can use up. The
        // serial queue has a thread even then.
        if clock is LeaseClock {
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(time.wholeNanoseconds)), execute: beat)
        } else {
            clock.schedule(after: time) { [queue] in queue.async(execute: beat) }
        }
    }

    /// Renews the leases and sets the next timer, unless no run is open.
    private func beat() {
        let start = clock.uptime
        let held = state.withLock { state in
            state.isBeating = !state.held.isEmpty
            return state.held
        }
        guard !held.isEmpty else { return }
        renew(all: held)
        setTimer(after: max(start + pause - clock.uptime, .zero))
    }

    private func renew(all runs: [Int: UInt64]) {
        var held = runs
        // One that is being written is tried again in a moment, and renewed by that itself; it keeps no other waiting.
        for look in 0..<5 where !held.isEmpty {
            if look > 0 { Pauses.wait(.milliseconds(20)) }
            // If it fails, the next one may not; and if none does, whoever writes is told.
            guard let renewed = try? renew(held) else { return }
            for run in renewed { held[run] = nil }
        }
    }

    /// Renews those that nobody has locked; returns which.
    private func renew(_ held: [Int: UInt64]) throws -> [Int] {
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
