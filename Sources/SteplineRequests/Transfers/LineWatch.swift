import SteplineSupport

/// Tells who wants to know whether a transfer waits in its host's line, each change once and in order.
///
/// An exchange enters before it is known that it waits: by then its wait may be over.
final class LineWatch: Sendable {
    private struct State {
        /// The last exchange that was found to wait, and the last whose wait is over.
        var lastWaiting = Int.min
        var lastGone = Int.min
        var isTelling = false

        var isWaiting: Bool { lastWaiting > lastGone }
    }

    private let watch: @Sendable (_ isWaiting: Bool) -> Void
    private let state = Locked(State())

    /// Nil if nobody wants to know.
    init?(_ watch: (@Sendable (_ isWaiting: Bool) -> Void)?) {
        guard let watch else { return nil }
        self.watch = watch
    }

    /// An exchange waits, if it hasn't gone by now.
    func waits(_ exchange: Int) { change { $0.lastWaiting = max($0.lastWaiting, exchange) } }

    /// An exchange waits no longer.
    func goes(_ exchange: Int) { change { $0.lastGone = max($0.lastGone, exchange) } }

    /// It doesn't wait any more, nor will it.
    func end() { goes(.max) }

    private func change(_ change: (inout State) -> Void) {
        let known: Bool? = state.withLock { state in
            let was = state.isWaiting
            change(&state)
            // One thread tells all, or the end of a wait could be heard before its begin.
            guard state.isWaiting != was, !state.isTelling else { return nil }
            state.isTelling = true
            return was
        }
        guard var told = known else { return }
        while let news = news(since: told) {
            watch(news)
            told = news
        }
    }

    private func news(since told: Bool) -> Bool? {
        state.withLock { state in
            state.isTelling = state.isWaiting != told
            return state.isTelling ? state.isWaiting : nil
        }
    }
}
