import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hands the bytes of a transfer on as they come, to one who waits for them.
final class ChunkSink: TransferSink {
    /// So many bytes that wait are enough, and so few that more may come.
    private static let high = 1 << 20
    private static let low = 256 << 10

    private struct State {
        /// How many bytes wait.
        var count = 0
        var chunks: [Data] = []
        /// How many at the front of `chunks` have been taken.
        var taken = 0
        var end: Result<Void, any Error>?
        var waiter: CheckedContinuation<Data?, any Error>?

        /// What there is for one who asks; nil if that is still to come.
        mutating func takeNext() -> Result<Data?, any Error>? {
            if taken < chunks.count {
                let chunk = chunks[taken]
                // Not kept here while whoever took it is at work.
                chunks[taken] = Data()
                taken += 1
                count -= chunk.count
                return .success(chunk)
            }
            chunks.removeAll(keepingCapacity: true)
            taken = 0
            return end.map { end in end.map { nil } }
        }
    }

    let flow: TransportFlow? = TransportFlow()
    private let state = Locked(State())

    func begin(_ response: URLResponse, expected: Int64?) {}

    func write(_ bytes: Data) {
        let waiter = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
            guard state.end == nil else { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            state.chunks.append(bytes)
            state.count += bytes.count
            // Under the lock, so that it can't come behind the release that answers it.
            if state.count >= Self.high { flow?.hold() }
            return nil
        }
        waiter?.resume(returning: bytes)
    }

    /// Ends the sequence behind the bytes that have come; the first call counts.
    func end(_ end: Result<Void, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
            guard state.end == nil else { return nil }
            state.end = end
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: end.map { nil })
    }

    /// The next bytes; nil after the last.
    func next() async throws -> Data? {
        defer { state.comeBehind() }
        return try await withCheckedThrowingContinuation { continuation in
            let (ready, other, isLow) = state.withLock { state in
                let ready = state.takeNext()
                let other = state.waiter
                if ready == nil { state.waiter = continuation }
                return (ready, ready == nil ? other : nil, state.count <= Self.low)
            }
            if isLow { flow?.release() }
            if let ready { continuation.resume(with: ready) }
            // An iterator is for one task; a second that asks takes the first one's place.
            other?.resume(throwing: CancellationError())
        }
    }

    func finish() {}

    func discard() {
        // Released after the lock.
        _ = state.withLock { state in
            defer { (state.chunks, state.taken, state.count) = ([], 0, 0) }
            return state.chunks
        }
    }
}
