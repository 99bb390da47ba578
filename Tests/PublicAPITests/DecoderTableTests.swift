import Foundation
import Stepline
import Testing

/// A result, or an error's kind and coding path.
private func reported<T>(_ decode: () throws -> T) -> String {
    do {
        return "\(try decode())"
    } catch let error as JSONError {
        return "JSONError \(error.code)"
    } catch DecodingError.dataCorrupted(let context) {
        return "dataCorrupted at \(context.codingPath.map(\.stringValue))"
    } catch {
        return "\(type(of: error))"
    }
}

private func ours<T: Decodable>(_ type: T.Type, _ text: String, _ options: JSON.Options = .init()) -> String {
    reported { try JSON.Decoder(options: options).decode(type, from: Data(text.utf8)) }
}

private func theirs<T: Decodable>(_ type: T.Type, _ text: String) -> String {
    reported { try JSONDecoder().decode(type, from: Data(text.utf8)) }
}

/// Tells its object's keys as they come.
private struct Keys: Decodable, CustomStringConvertible {
    let description: String

    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        description = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue).joined()
    }
}

private struct Accented: Decodable {
    var é: Int?
}

private struct Nested: Decodable {
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd { _ = try list.decode(Nested.self) }
    }
}

private struct Holder: Decodable {
    var value: JSON
}

/// Shows both sides of each line in the guide's table of differences to Foundation's decoder.
@Suite("JSON decoder: the table of differences", .timeLimit(.minutes(5)))
struct DecoderTableTests {
    /// The beginning of each row of the table, and a check of the row.
    private static let lines: [(String, @Sendable () throws -> Void)] = [
        ("malformed text", malformed), ("a comma behind the last element or member", commas),
        ("a key that comes twice", duplicates),
        ("keys that differ only in how an accent is composed", accents), ("`allKeys`", order),
        ("a number that doesn't fit its type", misfits),
        ("a whole number with a fraction or an exponent, beyond 2⁵³", wholes),
        ("a number too small for a `Double` or a `Float`", tiny),
        ("a number too small for a `Double`, as an integer", tinyIntegers),
        ("UTF-32 with a byte order mark", encodings), ("nesting beyond 512", nesting),
        ("text beyond 1 GiB", size), ("a property of the type `JSON`", documents),
        ("decoding a part of a document", parts), ("`allowsJSON5`, `assumesTopLevelDictionary`", json5),
    ]

    @Test("Issue 16: the guide's table has these lines and no others")
    func table() throws {
        let page = try documentedText(of: "Sources/Stepline/Documentation.docc/JSONAndCSV.md")
        let rows = page.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        let names = rows.map { row in
            row.dropFirst(2).components(separatedBy: " |").first ?? ""
        }
        #expect(names == Self.lines.map(\.0))
    }

    @Test("Issue 16: both decoders do what the guide's table says", arguments: lines.indices)
    func line(number: Int) throws { try Self.lines[number].1() }

    @Sendable private static func malformed() throws {
        #expect(ours([Int].self, "[1,x]") == "JSONError unexpectedCharacter")
        #expect(theirs([Int].self, "[1,x]") == "dataCorrupted at []")
        #expect(ours(Bool.self, "01") == "JSONError trailingText")
        #expect(theirs(Bool.self, "01") == "DecodingError")
        let error = #expect(throws: JSONError.self) {
            try JSON.Decoder().decode([Int].self, from: Data("[1,\nx]".utf8))
        }
        #expect(error?.line == 2 && error?.column == 1)
    }

    @Sendable private static func commas() throws {
        #expect(ours([Int].self, "[1,]") == "JSONError unexpectedCharacter")
        #expect(theirs([Int].self, "[1,]") == "[1]")
        #expect(ours([String: Int].self, "{\"a\":1,}") == "JSONError unexpectedCharacter")
        #expect(theirs([String: Int].self, "{\"a\":1,}") == "[\"a\": 1]")
    }

    @Sendable private static func duplicates() throws {
        let text = "{\"a\":1,\"a\":2}"
        #expect(ours([String: Int].self, text) == "[\"a\": 2]")
        #expect(theirs([String: Int].self, text) == "[\"a\": 1]")
        #expect(ours([String: Int].self, text, .init(allowsDuplicateKeys: false)) == "JSONError duplicateKey")
    }

    @Sendable private static func accents() throws {
        let text = "{\"e\u{301}\":1}"
        #expect(
            ours(Accented.self, text) == "\(try JSONDecoder().decode(Accented.self, from: Data("{}".utf8)))")
        #expect(try JSONDecoder().decode(Accented.self, from: Data(text.utf8)).é == 1)
    }

    @Sendable private static func order() throws {
        let names = (0..<26).map { String(UnicodeScalar(UInt8(122 - $0))) }
        let text = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        #expect(ours(Keys.self, text) == names.joined())
        #expect(theirs(Keys.self, text).sorted() == names.joined().sorted())
    }

    @Sendable private static func misfits() throws {
        #expect(ours([Int8].self, "[1,300]") == "dataCorrupted at [\"Index 1\"]")
        #expect(theirs([Int8].self, "[1,300]") == "dataCorrupted at []")
        #expect(ours([String: Int8].self, "{\"a\":1.5}") == "dataCorrupted at [\"a\"]")
        #expect(theirs([String: Int8].self, "{\"a\":1.5}") == "dataCorrupted at []")
    }

    @Sendable private static func wholes() throws {
        #expect(ours(Int.self, "9223372036854775807.0") == "9223372036854775807")
        #expect(theirs(Int.self, "9223372036854775807.0") == "dataCorrupted at []")
        #expect(ours(Int128.self, "1e20") == "100000000000000000000")
        #expect(theirs(Int128.self, "1e20") == "dataCorrupted at []")
    }

    @Sendable private static func tiny() throws {
        #expect(ours(Double.self, "1e-400") == "0.0" && ours(Float.self, "1e-46") == "0.0")
        #expect(theirs(Double.self, "1e-400") == "dataCorrupted at []")
        #expect(theirs(Float.self, "1e-46") == "dataCorrupted at []")
    }

    @Sendable private static func tinyIntegers() throws {
        #expect(ours(Int.self, "1e-400") == "dataCorrupted at []" && theirs(Int.self, "1e-400") == "0")
    }

    @Sendable private static func encodings() throws {
        let bytes: [UInt8] = [0xFF, 0xFE, 0, 0, 0x5B, 0, 0, 0, 0x31, 0, 0, 0, 0x5D, 0, 0, 0]
        #expect(reported { try JSON.Decoder().decode([Int].self, from: Data(bytes)) } == "[1]")
        #expect(reported { try JSONDecoder().decode([Int].self, from: Data(bytes)) } == "dataCorrupted at []")
    }

    @Sendable private static func nesting() throws {
        let text = String(repeating: "[", count: 520) + String(repeating: "]", count: 520)
        #expect(ours(Nested.self, text) == "JSONError tooDeep")
        #expect(ours(Nested.self, text, .init(maximumDepth: 600)) == "Nested()")
        #expect(theirs(Nested.self, text) == "dataCorrupted at []")
    }

    @Sendable private static func size() throws {
        #expect(JSON.Options().maximumSize == 1 << 30)
        #expect(ours([Int].self, "[1,2]", .init(maximumSize: 4)) == "JSONError tooLarge")
    }

    @Sendable private static func documents() throws {
        let text = #"{"value":{"z":1.50,"y":123456789012345678901234567890123456789012345,"x":0}}"#
        let data = Data(text.utf8)
        let mine = try JSON.Decoder().decode(Holder.self, from: data).value
        #expect(mine.description == #"{"z":1.50,"y":123456789012345678901234567890123456789012345,"x":0}"#)
        let other = try JSONDecoder().decode(Holder.self, from: data).value
        #expect(other["z"]?.literal == "1.5" && other["y"] != mine["y"] && other.count == 3)
    }

    @Sendable private static func parts() throws {
        let data = Data(#"{"a":[{"b":1},{"b":2}]}"#.utf8)
        #expect(try JSON.Decoder().decode(Int.self, from: data, at: "/a/1/b") == 2)
        #expect(try JSON.Decoder().decode(Int.self, from: data, at: "$.a[0].b") == 1)
    }

    @Sendable private static func json5() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        decoder.assumesTopLevelDictionary = true
        #expect(try decoder.decode([String: Int].self, from: Data("a: 0x10".utf8)) == ["a": 16])
        #expect(ours([String: Int].self, "{a: 0x10}") == "JSONError unexpectedCharacter")
    }
}
