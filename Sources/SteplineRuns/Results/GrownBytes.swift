import Foundation
import SteplineWorkflow

/// The stored form of an element of a growing map: what its attempt has found, and the result.
///
/// Both are one value, so that no kill separates them. The format is a line of text, the bytes of the found elements,
/// and the bytes of the result. The line has a NUL, the word `grown`, the depth, and the length of each found element.
/// A JSON result can't begin with a NUL. A result that is text or data of its own is known by the type digest of its
/// step.
enum GrownBytes {
    /// Changes the type digest of a result that is stored in this form.
    static let mark: UInt64 = 0x67_726F

    private static let head = Data("\0grown".utf8)

    static func join(depth: Int, _ found: [Data], _ result: Data) -> Data {
        var data = head
        data.append(contentsOf: " \(depth)".utf8)
        for one in found { data.append(contentsOf: " \(one.count)".utf8) }
        data.append(0x0A)
        for one in found { data.append(one) }
        data.append(result)
        return data
    }

    /// Returns the parts; nil for data in another form.
    static func split(_ data: Data) -> (depth: Int, found: [Data], result: Data)? {
        guard data.starts(with: head), let end = data.firstIndex(of: 0x0A) else { return nil }
        let line = data[data.startIndex + head.count..<end]
        let numbers = line.split(separator: UInt8(ascii: " ")).map {
            Int(String(decoding: $0, as: UTF8.self))
        }
        // `??` flattens two optionals: a missing number, and a word that is no number.
        guard let depth = numbers.first ?? nil else { return nil }
        var rest = data[(end + 1)...]
        var found: [Data] = []
        found.reserveCapacity(numbers.count - 1)
        for number in numbers.dropFirst() {
            // A length beyond the end: the bytes are damaged, or begin like this form by chance.
            guard let count = number, count >= 0, count <= rest.count else { return nil }
            // A copy: a slice would retain the whole result.
            found.append(Data(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return (depth, found, Data(rest))
    }

    /// Returns the bytes of the result alone; data in another form as it is.
    static func result(in data: Data) -> Data { split(data)?.result ?? data }
}

extension GrownBytes {
    /// The elements that an element has found, and its own depth.
    struct Found: Sendable {
        let elements: [any Sendable]
        let depth: Int
    }

    /// Returns what an element has found; nil for data in another form.
    static func found(in data: Data, _ codec: ResultCodec) throws -> Found? {
        guard let parts = split(data) else { return nil }
        return Found(elements: try parts.found.map(codec.decode), depth: parts.depth)
    }

    // MARK: Offers

    /// Encodes the element that an offer is for, in the form of an element that has found only this one.
    static func element(_ element: any Sendable, depth: Int, _ codec: ResultCodec) throws -> Data {
        join(depth: depth, [try codec.encode(element)], Data())
    }

    /// Returns the element that an offer is for; nil for data in another form.
    static func element(in data: Data, _ codec: ResultCodec) throws -> (value: any Sendable, depth: Int)? {
        try found(in: data, codec).flatMap { found in found.elements.first.map { ($0, found.depth) } }
    }
}

extension ResultCodec {
    /// Creates the codec of a growing map's element, whose result is stored with what was found.
    ///
    /// `encode` takes a `GrownResult` or a plain result. `decode` returns the result alone, and `restore` all of it.
    convenience init(of result: ResultCodec, finding element: ResultCodec) {
        @Sendable func join(
            _ value: any Sendable, _ encode: @Sendable (any Sendable) throws -> Data,
            _ encodeElement: @Sendable (any Sendable) throws -> Data
        ) throws -> Data {
            guard let grown = value as? GrownResult else {
                return GrownBytes.join(depth: 0, [], try encode(value))
            }
            return GrownBytes.join(
                depth: grown.depth, try grown.found.map(encodeElement), try encode(grown.output))
        }
        self.init(
            growing: result, found: element,
            encode: { try join($0, result.encode, element.encode) },
            encodeInOrder: { try join($0, result.encodeInOrder, element.encodeInOrder) },
            decode: { data in
                guard let parts = GrownBytes.split(data) else { throw NotGrown() }
                return try result.decode(parts.result)
            },
            restore: { data in
                guard let parts = GrownBytes.split(data) else { throw NotGrown() }
                return GrownResult(
                    try result.decode(parts.result), found: try parts.found.map(element.decode),
                    depth: parts.depth)
            })
    }

    /// The error for a result that was stored without what was found.
    private struct NotGrown: Error {}
}
