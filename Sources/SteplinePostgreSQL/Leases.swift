import Dispatch
import SteplineSupport

/// Renews the leases of the runs that this process has open, while it lives.
final class Leases: Sendable {
    private struct State {
        /// The openings of the runs, by their numbers.
        var held: [Int: UInt64] = [:]
        var timer: Timer?
    }

    private struct Timer: @unchecked Sendable {  // a source may be cancelled from any thread
        let source: any DispatchSourceTimer
    }

    /// How long one lasts.
    let length: Duration
    private let sessions: Sessions
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "stepline.runs.leases")

    init(_ sessions: Sessions, length: Duration) {
        self.sessions = sessions
        self.length = length
    }

    deinit { state.withLock { $0.timer?.source.cancel() } }

    func add(_ run: Int, _ opening: UInt64) {
        state.withLock { state in
            state.held[run] = opening
            if state.timer == nil { state.timer = makeTimer() }
        }
    }

    func remove(_ run: Int, _ opening: UInt64) {
        let timer = state.withLock { state -> Timer? in
            guard state.held[run] == opening else { return nil }
            state.held[run] = nil
            guard state.held.isEmpty else { return nil }
            defer { state.timer = nil }
            return state.timer
        }
        timer?.source.cancel()
    }

    private func makeTimer() -> Timer {
        let source = DispatchSource.makeTimerSource(queue: queue)
        let pause = DispatchTimeInterval.milliseconds(max(Int(length / .milliseconds(1)) / 3, 1))
        source.schedule(deadline: .now() + pause, repeating: pause)
        source.setEventHandler { [weak self] in self?.renew() }
        source.resume()
        return Timer(source: source)
    }

    private func renew() {
        var held = state.withLock { $0.held }
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
            UPDATE stepline.runs SET held_until = clock_timestamp() + $3 * interval '1 second'
            WHERE id = ANY(ARRAY(SELECT id FROM free)) RETURNING id
            """,
            [.list(held.keys.map(Int?.some)), .list(held.values.map { $0 }), Value(length / .seconds(1))],
            patience: length / 6
        ).rows.map { $0.integer(0) }
    }
}
