package import Foundation
import SteplineSupport

/// The destination of a transfer's bytes.
///
/// The calls are sequential, except for `discard`, which may come at any time from any thread.
package protocol TransferSink<Value>: AnyObject, Sendable {
    associatedtype Value: Sendable

    /// Handles a response; bytes of an earlier response are invalid.
    func begin(_ response: TransferResponse, expected: Int64?) throws

    /// The number of bytes before this response, which count for the limit and the progress.
    var base: Int64 { get }

    /// The flow that holds the bytes back; nil if all bytes are accepted at once.
    var flow: TransportFlow? { get }

    /// Stores bytes.
    func write(_ bytes: Data) throws

    /// Returns the result.
    func finish() throws -> Value

    /// Discards all bytes and releases all memory and files.
    func discard()
}

extension TransferSink {
    package var base: Int64 { 0 }
    package var flow: TransportFlow? { nil }
}

/// A sink in memory.
package final class MemorySink: TransferSink {
    /// The maximum capacity that is reserved for an announced length alone.
    private static let trusted: Int64 = 1 << 30

    private let bytes = Locked(Data())
    /// The maximum number of stored bytes; further bytes are dropped.
    private let limit: Int

    package init(limit: Int = .max) {
        self.limit = limit
    }

    package func begin(_ response: TransferResponse, expected: Int64?) {
        let size = min(expected ?? 0, Int64(limit), Self.trusted)
        // Reserved memory isn't used until bytes are written.
        bytes.withLock { $0 = Data(capacity: max(Int(size), 0)) }
    }

    package func write(_ new: Data) {
        bytes.withLock { bytes in
            let room = limit - bytes.count
            bytes.append(new.count <= room ? new : new.prefix(max(room, 0)))
        }
    }

    package func finish() -> Data {
        bytes.withLock { bytes in
            defer { bytes = Data() }
            return bytes
        }
    }

    package func discard() {
        // Release the bytes after unlock.
        _ = finish()
    }
}
