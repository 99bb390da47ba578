package import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Where the bytes of a transfer go.
///
/// The calls come one after the other, but for `discard`, which may come at any time and from any thread.
package protocol TransferSink<Value>: AnyObject, Sendable {
    associatedtype Value: Sendable

    /// A response has come, and its bytes follow; those of an earlier one are void.
    func begin(_ response: URLResponse, expected: Int64?) throws

    /// How many bytes there were before the response that has come: they count for limit and progress.
    var base: Int64 { get }

    /// Where bytes that can't be taken for now are held back; nil if all are taken at once.
    var flow: TransportFlow? { get }

    /// Takes bytes.
    func write(_ bytes: Data) throws

    /// Makes the result of all bytes.
    func finish() throws -> Value

    /// Throws away what was taken, and lets go of all memory and files.
    func discard()
}

extension TransferSink {
    package var base: Int64 { 0 }
    package var flow: TransportFlow? { nil }
}

/// Bytes in memory.
package final class MemorySink: TransferSink {
    /// The most that is set aside on the word of the peer alone.
    private static let trusted: Int64 = 1 << 30

    private let bytes = Locked(Data())
    /// How many bytes are kept; the rest is let go.
    private let limit: Int

    package init(limit: Int = .max) {
        self.limit = limit
    }

    package func begin(_ response: URLResponse, expected: Int64?) {
        let size = min(expected ?? 0, Int64(limit), Self.trusted)
        // Set aside but not touched, it takes no memory until the bytes come.
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
        // Released after the lock.
        _ = finish()
    }
}
