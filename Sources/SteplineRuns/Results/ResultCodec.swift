import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineSupport

/// The codec for results of one type: plain text for text types, JSON for `Codable` types.
///
/// | type | stored as |
/// |---|---|
/// | `Void` | nothing |
/// | `Data`, `String`, `Int` | the bytes, the UTF-8 text, the digits |
/// | `[Void]` | the count |
/// | `JSON`, `Content`, `Codable` types | JSON with sorted keys |
/// | a result with files | a line of JSON about the files, then the result |
/// | an element of a growing map | what it has found, then the result; see `GrownBytes` |
final class ResultCodec: Sendable {
    let encode: @Sendable (any Sendable) throws -> Data
    /// Encodes equal values to equal bytes in every process, for comparison; see `OrderedValue`.
    let encodeInOrder: @Sendable (any Sendable) throws -> Data
    let decode: @Sendable (Data) throws -> any Sendable
    /// Decodes the value that restores the task: the result, or a `GrownResult`.
    let restore: @Sendable (Data) throws -> any Sendable
    /// The codec of what the task has found, which is stored with the result; nil for tasks that find nothing.
    let found: ResultCodec?
    /// The full name of the type, equal in every process.
    let typeName: String
    /// A hash of the name.
    let typeDigest: UInt64
    /// Whether the type is `Codable`, so that another version of the program may have another format.
    let isCodable: Bool
    /// Whether the type is `Void`, which needs no storage.
    let isNothing: Bool
    /// Whether the result alone is `Void`, without what was found.
    let hasNoValue: Bool
    /// Whether the result includes files, which are checked when it is read.
    let hasFiles: Bool
    /// The codec of a map's elements; nil for other tasks.
    let elements: ElementCodec?

    /// Creates the codec of a type; nil if the type can't be stored.
    convenience init?(of type: any Sendable.Type) {
        switch type {
        case is Void.Type: self.init(Void.self, encode: { _ in Data() }, decode: { _ in () })
        case is Data.Type: self.init(Data.self, encode: { $0 }, decode: { $0 })
        case is String.Type:
            self.init(String.self, encode: Self.bytes, decode: { String(decoding: $0, as: UTF8.self) })
        case is Int.Type:
            // Equal to the output of JSONEncoder, without the cost of creating one.
            self.init(Int.self, encode: { Self.bytes("\($0)") }, decode: { try Self.read(Int.self, $0) })
        // The result of a map whose body returns nothing.
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
            // After the special types, several of which are Codable as well.
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
                // A body may return another type than its task declares.
                guard let value = value as? Value else {
                    throw NotStorable(found: Swift.type(of: value), expected: type)
                }
                return try encode(value)
            }
        }
        self.encode = checked(encode)
        // Types with a format of their own have equal bytes for equal values already.
        encodeInOrder = inOrder.map(checked) ?? self.encode
        self.decode = decode
        // Only the codec of Codable types passes `inOrder`.
        isCodable = inOrder != nil
        typeName = Self.name(of: type)
        typeDigest = Self.digest(of: typeName)
        isNothing = type == Void.self
        hasNoValue = isNothing
        hasFiles = false
        elements = nil
        restore = decode
        found = nil
    }

    /// Creates the codec of a result that is stored with what was found.
    init(
        growing result: ResultCodec, found: ResultCodec,
        encode: @escaping @Sendable (any Sendable) throws -> Data,
        encodeInOrder: @escaping @Sendable (any Sendable) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> any Sendable,
        restore: @escaping @Sendable (Data) throws -> any Sendable
    ) {
        self.encode = encode
        self.encodeInOrder = encodeInOrder
        self.decode = decode
        self.restore = restore
        typeName = result.typeName
        typeDigest = result.typeDigest ^ GrownBytes.mark
        isCodable = result.isCodable
        isNothing = false
        hasNoValue = result.isNothing
        hasFiles = result.hasFiles
        elements = nil
        self.found = found
    }

    /// Creates the codec of a map whose elements' results are stored separately.
    init(of whole: ResultCodec, elements: ElementCodec) {
        encode = whole.encode
        encodeInOrder = whole.encodeInOrder
        decode = whole.decode
        typeName = whole.typeName
        typeDigest = whole.typeDigest
        isCodable = whole.isCodable
        isNothing = whole.isNothing
        hasNoValue = isNothing
        hasFiles = false
        self.elements = elements
        restore = whole.restore
        found = nil
    }

    /// Creates the codec of a result with files: a line with their records precedes the result.
    init(of result: ResultCodec?, producing files: [URL]) {
        @Sendable func encode(
            _ value: any Sendable, _ result: (@Sendable (any Sendable) throws -> Data)?, isNothing: Bool
        ) throws -> Data {
            let line = try Self.write(files.map { try ProducedFile(reading: $0) })
            // JSON escapes newlines inside strings, so the first newline ends the line.
            return line + Data([0x0A]) + (isNothing || value is Void ? Data() : try result?(value) ?? Data())
        }
        let isEmpty = result?.isNothing ?? true
        self.encode = { try encode($0, result?.encode, isNothing: isEmpty) }
        encodeInOrder = { try encode($0, result?.encodeInOrder, isNothing: isEmpty) }
        decode = { data in
            guard let end = data.firstIndex(of: 0x0A) else { throw FilesGone() }
            let files = try Self.read([ProducedFile].self, Data(data[..<end]))
            // A changed or missing file makes the result unreadable: the step runs again.
            guard files.allSatisfy(\.isThere) else { throw FilesGone() }
            guard let result, !result.isNothing else { return () }
            return try result.decode(Data(data[(end + 1)...]))
        }
        typeName = result?.typeName ?? "()"
        typeDigest = Self.digest(of: typeName)
        isCodable = false
        isNothing = false
        hasNoValue = false
        hasFiles = true
        elements = nil
        restore = decode
        found = nil
    }

    /// Returns the bytes of a result without the line about its files.
    static func withoutFiles(_ data: Data) -> Data {
        // Other JSON may begin alike: only a line that decodes as file records counts.
        guard data.starts(with: Data("[{\"".utf8)), let end = data.firstIndex(of: 0x0A),
            (try? read([ProducedFile].self, Data(data[..<end]))) != nil
        else { return data }
        return Data(data[(end + 1)...])
    }

    private convenience init<Value: Codable & Sendable>(codable type: Value.Type) {
        let encodesItself = type is any SelfEncodingJSON.Type
        self.init(
            type,
            encode: { value in
                if encodesItself, let value = value as? any SelfEncodingJSON { return try value.jsonBytes() }
                return try Self.write(value)
            }, inOrder: { try Self.write(OrderedValue($0)) },
            decode: { try Self.read(type, $0) })
    }

    private static func bytes(_ text: String) -> Data {
        var text = text
        return text.withUTF8 { Data(buffer: $0) }
    }

    /// Returns the full name without the addresses that distinguish private and local types within one process.
    private static func name(of type: any Sendable.Type) -> String {
        var name = String(reflecting: type)
        // The address after these words differs in each process, and would change the digest of the type.
        while let start = name.range(of: "(unknown context at "),
            let end = name.range(of: ").", range: start.upperBound..<name.endIndex)
        {
            name.removeSubrange(start.lowerBound..<end.upperBound)
        }
        return name
    }

    /// Returns the hash of a type whose values aren't stored: another one than if they were.
    static func typeDigest(ofUnstored type: any Sendable.Type) -> UInt64 { ~digest(of: name(of: type)) }

    private static func digest(of name: String) -> UInt64 {
        var digest = Digest()
        digest.add(name.utf8)
        return digest.value
    }

    // MARK: JSON

    static func write(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // JSON has no infinity and no NaN, and the encoder would throw.
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
    /// Options without a size limit, for data written by this program.
    fileprivate static let trusted: JSON.Options = {
        var options = JSON.Options()
        options.maximumSize = .max
        return options
    }()
}

/// The error for missing or changed files of a result.
struct FilesGone: Error {}

/// The error for a result of another type than the task declares.
struct NotStorable: Error, CustomStringConvertible {
    let found: any Sendable.Type
    let expected: any Sendable.Type

    var description: String { "the result is a \(found), but only \(expected) is kept" }
}
