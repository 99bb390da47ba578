package import Foundation

/// The bytes of an answer: held in memory, or made while they are sent.
package struct LoopbackBody: Sendable {
    /// How many bytes there are; nil for a body without end.
    package let count: Int?

    private let bytes: @Sendable (Range<Int>) -> Data

    private init(count: Int?, bytes: @escaping @Sendable (Range<Int>) -> Data) {
        self.count = count
        self.bytes = bytes
    }

    /// No bytes.
    package static let empty = data(Data())

    /// These bytes.
    package static func data(_ data: Data) -> LoopbackBody {
        LoopbackBody(count: data.count) { range in
            data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)]
        }
    }

    /// Returns a body with a repeated pattern.
    ///
    /// Takes no memory however long it is: byte n is `UInt8(n % 251)`.
    package static func pattern(count: Int?) -> LoopbackBody {
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
