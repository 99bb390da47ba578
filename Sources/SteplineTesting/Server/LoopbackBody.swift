public import Foundation

/// The bytes of a response: stored in memory, or generated while they are sent.
public struct LoopbackBody: Sendable {
    /// The number of bytes; nil for an endless body.
    public let count: Int?

    private let bytes: @Sendable (Range<Int>) -> Data

    private init(count: Int?, bytes: @escaping @Sendable (Range<Int>) -> Data) {
        self.count = count
        self.bytes = bytes
    }

    /// No bytes.
    public static let empty = data(Data())

    /// Returns a body with the given bytes.
    public static func data(_ data: Data) -> LoopbackBody {
        LoopbackBody(count: data.count) { range in
            data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)]
        }
    }

    /// Returns a body with a repeated pattern.
    ///
    /// The body needs no memory: byte n is `UInt8(n % 251)`.
    ///
    /// - Parameter count: The number of bytes; nil for an endless body.
    /// - Returns: The body.
    public static func pattern(count: Int?) -> LoopbackBody {
        LoopbackBody(count: count) { range in
            let start = range.lowerBound % 251
            return block[start..<(start + min(range.count, block.count - start))]
        }
    }

    private static let block = Data((0..<(251 << 10)).map { UInt8($0 % 251) })

    /// Returns at most `limit` bytes from an offset; none at the end.
    func next(from offset: Int, limit: Int) -> Data {
        let end = min(offset + limit, count ?? .max)
        return offset < end ? bytes(offset..<end) : Data()
    }

    /// Returns the part of the body in a range.
    func part(_ range: Range<Int>) -> LoopbackBody {
        LoopbackBody(count: range.count) { [bytes] inner in
            bytes((range.lowerBound + inner.lowerBound)..<(range.lowerBound + inner.upperBound))
        }
    }

    /// All bytes of a finite body.
    var all: Data {
        guard let count else { return Data() }
        var data = Data()
        while data.count < count { data.append(next(from: data.count, limit: count - data.count)) }
        return data
    }
}
