import SteplineSupport

/// Tells who wants to know whether a transfer waits in its host's line, each change once and in order.
final class LineWatch: Sendable {
    private struct State {
        var isWaiting = false
        var isTelling = false
        var isOver = false
    }

    private let watch: @Sendable (_ isWaiting: Bool) -> Void
    private let state = Locked(State())

    /// Nil if nobody wants to know.
    init?(_ watch: (@Sendable (_ isWaiting: Bool) -> Void)?) {
        guard let watch else { return nil }
        self.watch = watch
    }

    func tell(_ isWaiting: Bool) {
        let isTeller = state.withLock { state in
            guard state.isWaiting != isWaiting, !isWaiting || !state.isOver else { return false }
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

    /// It doesn't wait any more, nor will it.
    func end() {
        state.withLock { $0.isOver = true }
        tell(false)
    }

    private func news(since told: Bool) -> Bool? {
        state.withLock { state in
            state.isTelling = state.isWaiting != told
            return state.isTelling ? state.isWaiting : nil
        }
    }
}
