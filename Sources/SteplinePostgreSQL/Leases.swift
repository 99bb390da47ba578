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
        let held = state.withLock { $0.held }
        guard !held.isEmpty else { return }
        // If it fails, the next one may not; and if none does, whoever writes is told.
        _ = try? sessions.run(
            """
            UPDATE stepline.runs SET held_until = clock_timestamp() + $3 * interval '1 second'
            FROM unnest($1::int8[], $2::int8[]) AS held (run, opening)
            WHERE runs.id = held.run AND runs.opening = held.opening AND runs.held_until IS NOT NULL
            """,
            [.list(held.keys.map(Int?.some)), .list(held.values.map { $0 }), Value(length / .seconds(1))],
            patience: length / 6)
    }
}
