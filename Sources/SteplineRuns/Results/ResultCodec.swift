import Foundation
import SteplineJSON
import SteplinePipeline

/// How results of one type are kept: as text where they are text, as JSON where they are `Codable`.
final class ResultCodec: Sendable {
    let encode: @Sendable (any Sendable) throws -> Data
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
        isCodable: Bool = false, decode: @escaping @Sendable (Data) throws -> Value
    ) {
        self.encode = { value in
            guard let value = value as? Value else {
                throw NotStorable(found: Swift.type(of: value), wanted: type)
            }
            return try encode(value)
        }
        self.decode = decode
        self.isCodable = isCodable
        typeName = Self.name(of: type)
        typeDigest = Self.digest(of: typeName)
        isNothing = type == Void.self
        hasFiles = false
    }

    /// The same with files that are made beside the result: it is kept after a line that tells of them.
    init(of result: ResultCodec?, producing files: [URL]) {
        encode = { value in
            let line = try Self.write(files.map { try ProducedFile(reading: $0) })
            let isNothing = result?.isNothing ?? true || value is Void
            return line + Data([0x0A]) + (isNothing ? Data() : try result?.encode(value) ?? Data())
        }
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
    }

    private convenience init<Value: Codable & Sendable>(codable type: Value.Type) {
        self.init(
            type, encode: { try Self.write($0) }, isCodable: true, decode: { try Self.read(type, $0) })
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

    private static func write(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        // Equal values are to be equal bytes, in each process.
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try encoder.encode(value)
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
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
