import SteplineSupport

/// Tells who wants to know whether a transfer waits in its host's line, each change once and in order.
///
/// An exchange enters before it is known that it waits: by then its wait may be over.
final class LineWatch: Sendable {
    private struct State {
        var isWaiting = false
        var isTelling = false
        var isOver = false
        /// The last exchange whose wait is over.
        var lastGone = Int.min
    }

    private let watch: @Sendable (_ isWaiting: Bool) -> Void
    private let state = Locked(State())

    /// Nil if nobody wants to know.
    init?(_ watch: (@Sendable (_ isWaiting: Bool) -> Void)?) {
        guard let watch else { return nil }
        self.watch = watch
    }

    /// An exchange waits, if it hasn't gone by now.
    func waits(_ exchange: Int) {
        change(to: true) { !$0.isOver && $0.lastGone < exchange }
    }

    /// An exchange waits no longer.
    func goes(_ exchange: Int) {
        change(to: false) { state in
            state.lastGone = max(state.lastGone, exchange)
            return true
        }
    }

    /// It doesn't wait any more, nor will it.
    func end() {
        change(to: false) { state in
            state.isOver = true
            return true
        }
    }

    private func change(to isWaiting: Bool, if holds: (inout State) -> Bool) {
        let isTeller = state.withLock { state in
            guard holds(&state), state.isWaiting != isWaiting else { return false }
            state.isWaiting = isWaiting
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isTeller else { return }
        // One thread tells all, or the end of a wait could be heard before its begin.
        var told = !isWaiting
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
