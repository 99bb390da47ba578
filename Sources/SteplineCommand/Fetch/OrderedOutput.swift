import Foundation
import SteplineSupport

/// Writes what comes in any order in the order of its numbers, as soon as it can.
///
/// What has to wait is held in memory. Whoever brings what is next writes, and whatever was waiting for it;
/// nobody waits for anybody.
final class OrderedOutput: Sendable {
    struct State {
        /// What has come and is not yet written; nothing for a number that has nothing to write.
        var waiting: [Int: Data] = [:]
        var next = 0
        var isWriting = false
        var failure: (any Error)?

        /// What is to be written now, by the caller and nobody else.
        mutating func take() -> Data? {
            var piece = Data()
            while failure == nil, let data = waiting.removeValue(forKey: next) {
                piece += data
                next += 1
                if piece.count > 1 << 20 { break }
            }
            isWriting = !piece.isEmpty
            return isWriting ? piece : nil
        }
    }

    private let state = Locked(State())
    private let write: @Sendable (Data) throws -> Void

    init(_ write: @escaping @Sendable (Data) throws -> Void) { self.write = write }

    /// What writing has failed with.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Brings what belongs at a place, nothing at all included; throws if writing has failed.
    func put(_ data: Data, at number: Int) throws {
        var piece = state.withLock { state in
            state.waiting[number] = data
            return state.isWriting ? nil : state.take()
        }
        while let data = piece {
            do {
                try write(data)
            } catch {
                state.withLock { $0.failure = error }
            }
            piece = state.withLock { $0.take() }
        }
        if let failure { throw failure }
    }

    /// Writes all that has come, over the gaps of what hasn't: to be called when nothing more comes.
    func finish() throws {
        let rest = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        if let failure { throw failure }
        for data in rest { try write(data) }
    }
}
