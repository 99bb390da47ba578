import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A sink that passes the bytes of a transfer to a waiting reader.
///
/// The transport calls `write` and `end`; a Swift task calls `next`. The sink holds the peer back at `high` waiting
/// bytes and continues at `low`. At most one reader waits.
final class ChunkSink: TransferSink {
    /// The numbers of waiting bytes at which the transfer is held back, and continued.
    private static let high = 1 << 20
    private static let low = 256 << 10

    private struct State {
        /// The number of waiting bytes.
        var count = 0
        var chunks: [Data] = []
        /// The number of consumed elements at the front of `chunks`.
        var taken = 0
        var end: Result<Void, any Error>?
        var waiter: CheckedContinuation<Data?, any Error>?

        /// Returns the next chunk or the end; nil if neither is available.
        mutating func takeNext() -> Result<Data?, any Error>? {
            if taken < chunks.count {
                let chunk = chunks[taken]
                // Release the chunk: the sink must not retain bytes that the reader processes.
                chunks[taken] = Data()
                taken += 1
                count -= chunk.count
                return .success(chunk)
            }
            // All chunks were taken: reuse the array.
            chunks.removeAll(keepingCapacity: true)
            taken = 0
            return end.map { end in end.map { nil } }
        }
    }

    let flow: TransportFlow? = TransportFlow()
    private let state = Locked(State())

    func begin(_ response: TransferResponse, expected: Int64?) {}

    func write(_ bytes: Data) {
        let waiter = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
            // Bytes after the end, for example after a cancellation, are dropped.
            guard state.end == nil else { return nil }
            // Pass the bytes to the waiting reader directly, without storing them.
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            state.chunks.append(bytes)
            state.count += bytes.count
            // Called under the lock, so that a hold can't follow the release that answers it.
            if state.count >= Self.high { flow?.hold() }
            return nil
        }
        waiter?.resume(returning: bytes)
    }

    /// Ends the sequence after the received bytes; the first call counts.
    func end(_ end: Result<Void, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
            // The waiter exists only if no chunks are left, so it can receive the end directly.
            guard state.end == nil else { return nil }
            state.end = end
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: end.map { nil })
    }

    /// Returns the next bytes; nil after the last ones.
    func next() async throws -> Data? {
        // See `Locked.synchronize`: the reader must see everything that the writer did before.
        defer { state.synchronize() }
        return try await withCheckedThrowingContinuation { continuation in
            let (ready, other, isLow) = state.withLock { state in
                let ready = state.takeNext()
                let other = state.waiter
                if ready == nil { state.waiter = continuation }
                return (ready, ready == nil ? other : nil, state.count <= Self.low)
            }
            // Called without the lock: the release may call the transport.
            if isLow { flow?.release() }
            if let ready { continuation.resume(with: ready) }
            // An iterator supports one task: a second reader replaces the first one.
            other?.resume(throwing: CancellationError())
        }
    }

    func finish() {}

    func discard() {
        // Release the bytes after unlock.
        _ = state.withLock { state in
            defer { (state.chunks, state.taken, state.count) = ([], 0, 0) }
            return state.chunks
        }
    }
}
