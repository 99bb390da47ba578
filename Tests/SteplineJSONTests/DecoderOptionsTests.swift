import Foundation
import SteplineJSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DecoderOptionsTests {
    @Test(arguments: [
        "snake_case_key", "_leading", "trailing_", "__both__sides__", "already", "Upper_Case", "a__b", "_",
        "x_1_y", "ALL_CAPS", "size_10x20", "a_1b", "one_2three_4", "_x_10y_", "é_ünder_ßtraße", "a_éclair",
        "x_😀_y", "a_b_", "a__10a", "ab_CD_eF", "a_'b", "a_b-c", "a_b c", "a_b.c", "ǆ_ǆ", "A_B", "a_1_b",
        "a_ﬁx", "i_İstanbul",
    ])
    func `PL-93 keys in snake case are converted as Foundation converts them`(_ key: String) throws {
        struct AnyKeys: Decodable, Equatable {
            let keys: [String]
            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
            init(from decoder: any Decoder) throws {
                keys = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
            }
        }
        let data = Data("{\"\(key)\":1}".utf8)
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        var decoder = JSON.Decoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try decoder.decode(AnyKeys.self, from: data) == foundation.decode(AnyKeys.self, from: data))
    }

    @Test func `PL-93 custom keys, dates and data`() throws {
        struct Record: Decodable, Equatable { let when: Date, bytes: Data, table: [String: Int] }
        let text = #"{"X-when":"7","X-bytes":[1,2],"X-table":{"X-a":1}}"#
        let strip: @Sendable ([any CodingKey]) -> any CodingKey = { path in
            let name = path.last?.stringValue ?? ""
            return AnyName(name.hasPrefix("X-") ? String(name.dropFirst(2)) : name)
        }
        let date: @Sendable (any Decoder) throws -> Date = {
            Date(timeIntervalSince1970: Double(try $0.singleValueContainer().decode(String.self)) ?? 0)
        }
        let bytes: @Sendable (any Decoder) throws -> Data = { Data(try [UInt8](from: $0)) }
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .custom(strip)
        foundation.dateDecodingStrategy = .custom(date)
        foundation.dataDecodingStrategy = .custom(bytes)
        var decoder = JSON.Decoder()
        decoder.keyDecodingStrategy = .custom(strip)
        decoder.dateDecodingStrategy = .custom(date)
        decoder.dataDecodingStrategy = .custom(bytes)
        let mine = try decoder.decode(Record.self, from: Data(text.utf8))
        #expect(try mine == foundation.decode(Record.self, from: Data(text.utf8)))
        #expect(mine.table == ["X-a": 1])
    }

    @Test func `PL-93 infinities by name`() throws {
        let strategy = JSONDecoder.NonConformingFloatDecodingStrategy.convertFromString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        var decoder = JSON.Decoder()
        decoder.nonConformingFloatDecodingStrategy = strategy
        let values = try decoder.decode([Double].self, from: Data(#"["+","-","?",1]"#.utf8))
        #expect(values[0] == .infinity && values[1] == -.infinity && values[2].isNaN && values[3] == 1)
        #expect(try decoder.decode(Float.self, from: Data("\"-\"".utf8)) == -.infinity)
    }

    @Test func `PL-93 a part of the document at a path`() throws {
        let data = Data(#"{"a":{"b":[{"id":7}]}}"#.utf8)
        struct Item: Decodable { let id: Int }
        #expect(try JSON.Decoder().decode(Item.self, from: data, at: "/a/b/0").id == 7)
        #expect(try JSON.Decoder().decode(Item.self, from: data, at: "$.a.b[0]").id == 7)
        #expect(try JSON(parsing: data).decode(Int.self, at: "/a/b/0/id") == 7)
        let error = #expect(throws: JSONError.self) {
            try JSON.Decoder().decode(Item.self, from: data, at: "/a/c")
        }
        #expect(error?.code == .notFound)
    }

    @Test func `PL-92 the last of duplicate keys is decoded`() throws {
        struct Item: Decodable { let id: Int }
        #expect(try JSON.Decoder().decode(Item.self, from: Data(#"{"id":1,"id":2}"#.utf8)).id == 2)
        let strict = JSON.Decoder(options: .init(allowsDuplicateKeys: false))
        #expect(throws: JSONError.self) { try strict.decode(Item.self, from: Data(#"{"id":1,"id":2}"#.utf8)) }
    }

    @Test func `PL-92 decimals keep every digit, and members any order`() throws {
        struct Row: Decodable, Equatable { let a: Int, b: Decimal, c: String }
        let row = try JSON.Decoder().decode(
            Row.self, from: Data(#"{"c":"x","z":0,"b":0.12345678901234567890123,"a":1}"#.utf8))
        #expect(row.b.description == "0.12345678901234567890123")
        #expect(row.a == 1 && row.c == "x")
    }

    @Test func `classes decode by their super decoder`() throws {
        class Base: Decodable {
            let id: Int
        }
        final class Derived: Base {
            let name: String
            enum Keys: CodingKey { case name }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                name = try container.decode(String.self, forKey: .name)
                try super.init(from: container.superDecoder())
            }
        }
        let value = try JSON.Decoder().decode(
            Derived.self, from: Data(#"{"name":"x","super":{"id":3}}"#.utf8))
        #expect(value.id == 3 && value.name == "x")
    }
}

struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

@Suite(.timeLimit(.minutes(5))) struct LossyTests {
    /// Keeps what can be decoded.
    private struct Lossy: Decodable {
        var values: [Int] = []
        var failures = 0
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                do {
                    values.append(try container.decode(Int.self))
                } catch {
                    failures += 1
                    _ = try container.decode(JSON.self)
                }
            }
        }
    }

    @Test func `a decoder that catches the errors of elements decodes all others`() throws {
        let half = Chance.isSoak ? 50_000 : 500
        let text = "[" + (0..<2 * half).map { $0 % 2 == 0 ? "{\"a\":[]}" : "1" }.joined(separator: ",") + "]"
        let lossy = try JSON(parsing: text).decode(Lossy.self)
        #expect(lossy.failures == half && lossy.values.count == half)
    }
}
