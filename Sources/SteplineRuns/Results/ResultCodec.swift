import Foundation
import SteplineJSON
import SteplinePipeline

/// How results of one type are kept: as text where they are text, as JSON where they are `Codable`.
final class ResultCodec: Sendable {
    let encode: @Sendable (any Sendable) throws -> Data
    /// Writes equal values as equal bytes, in each process: the elements of sets and dictionaries have one order.
    let encodeInOrder: @Sendable (any Sendable) throws -> Data
    let decode: @Sendable (Data) throws -> any Sendable
    /// The type of the results, by its full name; the same in each process.
    let typeName: String
    /// A number that changes with the name.
    let typeDigest: UInt64
    /// Whether the type itself says how it is kept, which another version of the program may say otherwise.
    let isCodable: Bool
    /// Whether there is nothing to be kept.
    let isNothing: Bool
    /// Whether files belong to the result, which are looked for when it is read.
    let hasFiles: Bool
    /// For a map, how its result is made of its elements' results.
    let elements: ElementCodec?

    /// How results of that type are kept; nil if they can't be.
    convenience init?(of type: any Sendable.Type) {
        switch type {
        case is Void.Type: self.init(Void.self, encode: { _ in Data() }, decode: { _ in () })
        case is Data.Type: self.init(Data.self, encode: { $0 }, decode: { $0 })
        case is String.Type:
            self.init(String.self, encode: { Data($0.utf8) }, decode: { String(decoding: $0, as: UTF8.self) })
        case is Int.Type:
            // What an encoder would write, without making one for each.
            self.init(Int.self, encode: { Data("\($0)".utf8) }, decode: { try Self.read(Int.self, $0) })
        // What a map makes whose body makes nothing.
        case is [Void].Type:
            self.init(
                [Void].self, encode: { Data("\($0.count)".utf8) },
                decode: { Array(repeating: (), count: max(try Self.read(Int.self, $0), 0)) })
        case is JSON.Type:
            self.init(JSON.self, encode: { $0.data() }, decode: { try JSON(parsing: $0, options: .trusted) })
        case is Content.Type:
            self.init(
                Content.self, encode: { try Self.write(KeptContent($0)) },
                decode: { try Self.read(KeptContent.self, $0).content() })
        default:
            guard let codable = type as? any (Codable & Sendable).Type else { return nil }
            self.init(codable: codable)
        }
    }

    private init<Value: Sendable>(
        _ type: Value.Type, encode: @escaping @Sendable (Value) throws -> Data,
        inOrder: (@Sendable (Value) throws -> Data)? = nil,
        decode: @escaping @Sendable (Data) throws -> Value
    ) {
        func checked(_ encode: @escaping @Sendable (Value) throws -> Data)
            -> @Sendable (any Sendable) throws -> Data
        {
            { value in
                guard let value = value as? Value else {
                    throw NotStorable(found: Swift.type(of: value), wanted: type)
                }
                return try encode(value)
            }
        }
        self.encode = checked(encode)
        encodeInOrder = inOrder.map(checked) ?? self.encode
        self.decode = decode
        isCodable = inOrder != nil
        typeName = Self.name(of: type)
        typeDigest = Self.digest(of: typeName)
        isNothing = type == Void.self
        hasFiles = false
        elements = nil
    }

    /// The same for a map whose elements' results are kept by themselves.
    init(of whole: ResultCodec, elements: ElementCodec) {
        encode = whole.encode
        encodeInOrder = whole.encodeInOrder
        decode = whole.decode
        typeName = whole.typeName
        typeDigest = whole.typeDigest
        isCodable = whole.isCodable
        isNothing = whole.isNothing
        hasFiles = false
        self.elements = elements
    }

    /// The same with files that are made beside the result: it is kept after a line that tells of them.
    init(of result: ResultCodec?, producing files: [URL]) {
        @Sendable func encode(
            _ value: any Sendable, _ result: (@Sendable (any Sendable) throws -> Data)?, isNothing: Bool
        ) throws -> Data {
            let line = try Self.write(files.map { try ProducedFile(reading: $0) })
            return line + Data([0x0A]) + (isNothing || value is Void ? Data() : try result?(value) ?? Data())
        }
        let isEmpty = result?.isNothing ?? true
        self.encode = { try encode($0, result?.encode, isNothing: isEmpty) }
        encodeInOrder = { try encode($0, result?.encodeInOrder, isNothing: isEmpty) }
        decode = { data in
            guard let end = data.firstIndex(of: 0x0A) else { throw FilesGone() }
            let files = try Self.read([ProducedFile].self, Data(data[..<end]))
            guard files.allSatisfy(\.isThere) else { throw FilesGone() }
            guard let result, !result.isNothing else { return () }
            return try result.decode(Data(data[(end + 1)...]))
        }
        typeName = result?.typeName ?? "()"
        typeDigest = Self.digest(of: typeName)
        isCodable = false
        isNothing = false
        hasFiles = true
        elements = nil
    }

    /// The bytes of a result without the line that tells of the files made beside it.
    static func withoutFiles(_ data: Data) -> Data {
        guard data.starts(with: Data("[{\"".utf8)), let end = data.firstIndex(of: 0x0A),
            (try? read([ProducedFile].self, Data(data[..<end]))) != nil
        else { return data }
        return Data(data[(end + 1)...])
    }

    private convenience init<Value: Codable & Sendable>(codable type: Value.Type) {
        self.init(
            type, encode: { try Self.write($0) }, inOrder: { try Self.write(OrderedValue($0)) },
            decode: { try Self.read(type, $0) })
    }

    /// The full name, without the addresses by which private and local types are told apart within one process.
    private static func name(of type: any Sendable.Type) -> String {
        var name = String(reflecting: type)
        while let start = name.range(of: "(unknown context at "),
            let end = name.range(of: ").", range: start.upperBound..<name.endIndex)
        {
            name.removeSubrange(start.lowerBound..<end.upperBound)
        }
        return name
    }

    private static func digest(of name: String) -> UInt64 {
        var digest = Digest()
        digest.add(name.utf8)
        return digest.value
    }

    // MARK: JSON

    static func write(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try encoder.encode(value)
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        var decoder = JSON.Decoder(options: .trusted)
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(type, from: data)
    }
}

extension JSON.Options {
    /// What we have written ourselves is read whatever its size.
    fileprivate static let trusted: JSON.Options = {
        var options = JSON.Options()
        options.maximumSize = .max
        return options
    }()
}

/// Files that a step has made are gone, or are others.
struct FilesGone: Error {}

/// A result that isn't of the type that its task has promised.
struct NotStorable: Error, CustomStringConvertible {
    let found: any Sendable.Type
    let wanted: any Sendable.Type

    var description: String { "the result is a \(found), but only \(wanted) is kept" }
}
