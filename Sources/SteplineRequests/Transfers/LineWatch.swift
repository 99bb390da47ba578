import SteplineSupport

/// The reports about a transfer's wait in its host's queue, each change once and in order.
///
/// An exchange enters the queue before its wait is known. The wait may then be over already.
///
/// Interleaving: `goes` may arrive on another thread before `waits` of the same exchange. Both store exchange numbers,
/// so a late `waits` doesn't report a wait that is over.
final class LineWatch: Sendable {
    private struct State {
        /// The last waiting exchange, and the last exchange whose wait ended.
        var lastWaiting = Int.min
        var lastGone = Int.min
        var isTelling = false

        var isWaiting: Bool { lastWaiting > lastGone }
    }

    private let watch: @Sendable (_ isWaiting: Bool) -> Void
    private let state = Locked(State())

    /// Creates a watch; nil without an observer.
    init?(_ watch: (@Sendable (_ isWaiting: Bool) -> Void)?) {
        guard let watch else { return nil }
        self.watch = watch
    }

    /// Reports that an exchange waits, unless its wait has ended.
    func waits(_ exchange: Int) { change { $0.lastWaiting = max($0.lastWaiting, exchange) } }

    /// Reports that an exchange's wait has ended.
    func goes(_ exchange: Int) { change { $0.lastGone = max($0.lastGone, exchange) } }

    /// Ends all reports: the transfer has ended.
    func end() { goes(.max) }

    private func change(_ change: (inout State) -> Void) {
        let known: Bool? = state.withLock { state in
            let was = state.isWaiting
            change(&state)
            // A single thread reports all changes: two threads could report the end of a wait before its begin.
            guard state.isWaiting != was, !state.isTelling else { return nil }
            state.isTelling = true
            return was
        }
        guard var reported = known else { return }
        // Further changes may arrive while the observer runs.
        while let news = news(since: reported) {
            watch(news)
            reported = news
        }
    }

    private func news(since reported: Bool) -> Bool? {
        state.withLock { state in
            // Cleared under the same lock as the check, so no change is missed.
            state.isTelling = state.isWaiting != reported
            return state.isTelling ? state.isWaiting : nil
        }
    }
}
