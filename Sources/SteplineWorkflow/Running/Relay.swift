import SteplineSupport

/// Passes word from a workflow to the one inside or around it, and from there on, in a loop where it goes deep.
///
/// Each call within another takes some of the stack, and workflows may be nested by the thousand.
final class Relay: Sendable {
    @TaskLocal private static var current: Relay?

    private struct State {
        var depth = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private static let greatestDepth = 32
    private let state = Locked(State())

    private init() {}

    /// Calls `word` now, or, where this thread is deep in such calls, when it is back.
    static func pass(_ word: @escaping @Sendable () -> Void) {
        guard let current else {
            let relay = Relay()
            return $current.withValue(relay) { relay.drain(word) }
        }
        let isDeep = current.state.withLock { state in
            if state.depth >= greatestDepth { state.waiting.append(word) }
            return state.depth >= greatestDepth
        }
        if !isDeep { current.call(word) }
    }

    private func call(_ word: @Sendable () -> Void) {
        state.withLock { $0.depth += 1 }
        word()
        state.withLock { $0.depth -= 1 }
    }

    private func drain(_ first: @Sendable () -> Void) {
        call(first)
        while let next = state.withLock({ $0.waiting.popLast() }) { call(next) }
    }
}
