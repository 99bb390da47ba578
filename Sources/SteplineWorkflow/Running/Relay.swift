import SteplineSupport

/// Calls from a workflow into the one inside or around it, in a loop where the calls nest deeply.
///
/// Workflows may be nested by the thousand, and nested calls would overflow the stack. A relay is task-local. It
/// holds the calls beyond a depth of 32.
final class Relay: Sendable {
    @TaskLocal private static var current: Relay?

    private struct State {
        var depth = 0
        var waiting: [@Sendable () -> Void] = []
        /// The loop has ended: further calls need another relay.
        var isOver = false
    }

    private enum Turn {
        case now, later, never
    }

    private static let greatestDepth = 32
    private let state = Locked(State())

    private init() {}

    /// Calls `word` now; or, where calls of this thread are nested deeply, when those have returned.
    static func pass(_ word: @escaping @Sendable () -> Void) {
        // A Swift task that was begun in such a call still has its relay when the loop has ended.
        switch current?.turn(of: word) ?? .never {
        case .now: current?.call(word)
        case .later: break
        case .never:
            let relay = Relay()
            $current.withValue(relay) { relay.drain(word) }
        }
    }

    private func turn(of word: @escaping @Sendable () -> Void) -> Turn {
        state.withLock { state in
            guard !state.isOver else { return .never }
            // The depth is that of the relay: a Swift task that has inherited it counts as well.
            guard state.depth >= Self.greatestDepth else { return .now }
            state.waiting.append(word)
            return .later
        }
    }

    private func call(_ word: @Sendable () -> Void) {
        state.withLock { $0.depth += 1 }
        word()
        state.withLock { $0.depth -= 1 }
    }

    private func drain(_ first: @Sendable () -> Void) {
        call(first)
        func next() -> (@Sendable () -> Void)? {
            state.withLock { state in
                // Decided under the lock: a later call finds the relay over, and makes another.
                state.isOver = state.waiting.isEmpty
                return state.waiting.popLast()
            }
        }
        while let word = next() { call(word) }
    }
}
