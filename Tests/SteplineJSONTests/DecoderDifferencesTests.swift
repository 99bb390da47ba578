import Foundation
import SteplineJSON
import Testing

/// The result of a decoding, to compare two decoders: the value, or the error's case, type and
/// coding path.
private struct Outcome: Equatable, CustomStringConvertible {
    let description: String

    init<T>(_ decode: () throws -> T) {
        do {
            description = "\(try decode())"
        } catch let error as DecodingError {
            description = Outcome.text(error)
        } catch {
            description = "other error"
        }
    }

    private static func text(_ error: DecodingError) -> String {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.map { "\($0.stringValue)(\($0.intValue.map(String.init) ?? "-"))" }
                .joined(separator: "/")
        }
        switch error {
        case .typeMismatch(let type, let context): return "typeMismatch \(type) at \(path(context))"
        case .valueNotFound(let type, let context): return "valueNotFound \(type) at \(path(context))"
        case .keyNotFound(let key, let context):
            return
                "keyNotFound \(key.stringValue)(\(key.intValue.map(String.init) ?? "-")) at \(path(context))"
        case .dataCorrupted(let context): return "dataCorrupted at \(path(context))"
        @unknown default: return "\(error)"
        }
    }
}

/// Strategies that both decoders are given.
private struct Strategies: Sendable, CustomTestStringConvertible {
    var testDescription = "default"
    var keys: @Sendable () -> JSONDecoder.KeyDecodingStrategy = { .useDefaultKeys }
    var dates: @Sendable () -> JSONDecoder.DateDecodingStrategy = { .deferredToDate }
    var data: @Sendable () -> JSONDecoder.DataDecodingStrategy = { .base64 }

    static let snake = Strategies(testDescription: "snake case", keys: { .convertFromSnakeCase })
    static let custom = Strategies(
        testDescription: "custom",
        keys: { .custom { path in AnyName(path.map(\.stringValue).joined(separator: ".")) } },
        dates: { .custom { _ in Date(timeIntervalSince1970: 1) } }, data: { .custom { _ in Data([1]) } })
    static let upper = Strategies(
        testDescription: "upper case keys",
        keys: { .custom { path in AnyName(path.last?.stringValue.uppercased() ?? "") } },
        dates: { .iso8601 }, data: { .deferredToData })
    static let seconds = Strategies(testDescription: "seconds", dates: { .secondsSince1970 })
    static let all: [Strategies] = [.init(), .snake, .custom, .upper, .seconds]

    var foundation: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keys()
        decoder.dateDecodingStrategy = dates()
        decoder.dataDecodingStrategy = data()
        return decoder
    }

    var ours: JSON.Decoder {
        var decoder = JSON.Decoder()
        decoder.keyDecodingStrategy = keys()
        decoder.dateDecodingStrategy = dates()
        decoder.dataDecodingStrategy = data()
        return decoder
    }
}

private enum IntKeys: Int, CodingKey { case one = 1, two = 2 }

/// Its keys have whole numbers too.
private struct ByNumber: Decodable {
    let one: [Int]
    init(from decoder: any Decoder) throws {
        one = try decoder.container(keyedBy: IntKeys.self).decode([Int].self, forKey: .one)
    }
}

/// Tells where it is decoded.
private struct Place: Decodable, CustomStringConvertible {
    let description: String
    init(from decoder: any Decoder) throws {
        description = decoder.codingPath.map { "\($0.stringValue)(\($0.intValue.map(String.init) ?? "-"))" }
            .joined(separator: "/")
    }
}

private class Base: Decodable {
    var id: Int?
    private enum Keys: CodingKey { case id }
    required init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: Keys.self).decodeIfPresent(Int.self, forKey: .id)
    }
}

private struct Lenient: Decodable {
    let text: String
    private enum Keys: CodingKey { case name, other }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let parent = try container.superDecoder()
        let other = try container.superDecoder(forKey: .other)
        let single = try parent.singleValueContainer()
        text =
            "\(single.decodeNil()) \(parent.codingPath.map(\.stringValue)) \(other.codingPath.map(\.stringValue))"
            + " \(try other.singleValueContainer().decodeNil())"
    }
}

private struct FromSuper: Decodable {
    let base: Base
    init(from decoder: any Decoder) throws {
        struct Key: CodingKey {
            var stringValue: String { "" }
            var intValue: Int? { nil }
            init?(stringValue: String) {}
            init?(intValue: Int) {}
        }
        base = try Base(from: decoder.container(keyedBy: Key.self).superDecoder())
    }
}

private struct NestedUnkeyed: Decodable {
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var inner = try list.nestedUnkeyedContainer()
        _ = try inner.decode(Int.self)
        _ = try inner.nestedContainer(keyedBy: IntKeys.self).decode(Int.self, forKey: .two)
    }
}

private struct AllKeys: Decodable, CustomStringConvertible {
    let description: String
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: IntKeys.self)
        description =
            container.allKeys.map(\.stringValue).sorted().joined(separator: ",")
            + "\(container.contains(.one))"
    }
}

private struct User: Decodable {
    var firstName: String, address: [String: [String: Int]]?, born: Date?, key: Data?
}

private struct Wrapper<T: Decodable>: Decodable { var value: T }

private enum Level: String, Decodable, CodingKeyRepresentable { case low, high }

private enum Shape: Decodable { case circle(radius: Double), dot }

private typealias Case = (text: String, decode: @Sendable (Strategies, Data) -> (Outcome, Outcome))

private func of<T: Decodable & SendableMetatype>(_ type: T.Type, _ texts: String...) -> [Case] {
    texts.map { text in
        (
            "\(type) of \(text)",
            { strategies, _ in
                let data = Data(text.utf8)
                return (
                    Outcome { try strategies.ours.decode(type, from: data) },
                    Outcome { try strategies.foundation.decode(type, from: data) }
                )
            }
        )
    }
}

@Suite(.timeLimit(.minutes(5))) struct DecoderDifferencesTests {
    private static let cases: [Case] =
        of(Lenient.self, "{}", #"{"other":null}"#, #"{"super":1,"other":2}"#, "[]")
        + of(FromSuper.self, "{}", #"{"super":null}"#, #"{"super":{"id":1}}"#, #"{"super":{"id":"x"}}"#)
        + of(
            [String: ByNumber].self, #"{"a_b":{"one":["x"]}}"#, #"{"a_b":{"one":3}}"#, #"{"a_b":{}}"#,
            #"{"a":1}"#)
        + of(
            [String: [String: Int]].self, #"{"a_b":{"c_d":"x"}}"#, #"{"a_b":{"c_d":1}}"#, #"{"a_b":null}"#,
            "[]", "null")
        + of([Int: [Int]].self, #"{"7":["x"]}"#, #"{"7":"x"}"#, #"{"x":[1]}"#, #"{"7":[null]}"#)
        + of([Level: [Int]].self, #"{"low":["x"]}"#, #"{"low":[1]}"#, #"{"other":[1]}"#)
        + of([String: Place].self, #"{"a_b":1}"#, #"{"a_b":[]}"#, #"{"7":1}"#)
        + of([Int: Place].self, #"{"7":1}"#) + of([[Place]].self, "[[1],[2,3]]")
        + of(Wrapper<Place>.self, #"{"value":1}"#, #"{"VALUE":1}"#)
        + of(Wrapper<[String: Place]>.self, #"{"value":{"a_b":{}}}"#, #"{"VALUE":{"a_b":{}}}"#)
        + of(NestedUnkeyed.self, "[[1,{}]]", #"[[1,{"two":"x"}]]"#, "[[]]", "[]", "[[1]]", "[1]", #"[["x"]]"#)
        + of(AllKeys.self, #"{"one":1,"two":2,"three":3}"#, #"{"1":1}"#, "{}")
        + of(
            User.self, #"{"first_name":"a"}"#, #"{"firstName":"a"}"#, #"{"FIRSTNAME":"a"}"#,
            #"{"first_name":1}"#, #"{"first_name":"a","address":{"x_y":{"z_z":"?"}}}"#,
            #"{"firstName":"a","born":null,"key":null}"#, #"{"firstName":"a","born":{}}"#,
            #"{"firstName":"a","key":[]}"#, #"{"firstName":"a","key":"*"}"#, #"{"firstName":"a","born":"x"}"#)
        + of(Date.self, "null", "1", "\"x\"", "[]", "\"2020-01-02T03:04:05Z\"")
        + of(Data.self, "null", "\"AQ==\"", "\"*\"", "[1]", "1")
        + of([Date].self, "[null]", "[1]", "[{}]") + of([Data].self, "[null]", "[[1,30]]", "[\"AQ==\"]")
        + of([String: Date].self, #"{"a_b":null}"#) + of([Date?].self, "[null,1]")
        + of(Wrapper<Date>.self, #"{"value":null}"#, "{}") + of(Wrapper<Data>.self, #"{"value":null}"#)
        + of(Wrapper<Date?>.self, #"{"value":null}"#, "{}", #"{"value":1}"#)
        + of(URL.self, "null", "\"\"", "\"http://a b\"", "1", "\"http://a\"")
        + of(Decimal.self, "null", "\"1\"", "1.50")
        + of([URL].self, "[null]", "[\"\"]") + of(Wrapper<URL?>.self, #"{"value":""}"#, #"{"value":null}"#)
        + of(Level.self, "null", "\"low\"", "\"x\"", "1")
        + of(
            Shape.self, #"{"dot":{}}"#, #"{"circle":{"radius":"x"}}"#, #"{"circle":{}}"#, "{}",
            #"{"a":{},"b":{}}"#)
        + of([Int].self, "[1,\"x\"]", "[1,null]", "{}", "null", "[1e2]")
        + of([Int8].self, "[127]") + of(Int8.self, "128", "-129") + of(UInt.self, "-1")
        + of([Bool].self, "[1]", "[null]", "[true]")
        + of([Double].self, "[\"NaN\"]", "[null]") + of([Float].self, "[1.5]")
        + of([String].self, "[1]", "[null]")
        + of(Int.self, "\"1\"", "null", "1.0", "[]") + of(String.self, "null", "1")
        + of(Int?.self, "null", "1", "\"x\"")
        + of([String: Int?].self, #"{"a":null}"#) + of([[String: Int]].self, #"[{"a":1},{"b":"x"}]"#)

    @Test(arguments: Strategies.all.indices)
    func `values and errors are those of Foundation's decoder`(_ number: Int) {
        let strategies = Strategies.all[number]
        for (text, decode) in Self.cases {
            let (ours, theirs) = decode(strategies, Data())
            #expect(ours == theirs, "\(text), \(strategies.testDescription)")
        }
    }

    /// Foundation's leaves the position out.
    @Test(arguments: ["[1,1.5]", "[1,300]", "[1,-129]", "[1,1e999]", "[1,300000000000000000000]"])
    func `a number that doesn't fit is an error at its position`(_ text: String) throws {
        let error = #expect(throws: DecodingError.self) {
            try JSON.Decoder().decode([Int8].self, from: Data(text.utf8))
        }
        guard case .dataCorrupted(let context)? = error else { throw UnexpectedOutcome() }
        #expect(context.codingPath.map(\.intValue) == [1])
    }

    @Test func `custom key closures aren't asked for dictionaries' keys`() throws {
        let asked = Recorded()
        var decoder = JSON.Decoder()
        decoder.keyDecodingStrategy = .custom { path in
            asked.add(path.map(\.stringValue).joined(separator: "."))
            return path[path.count - 1]
        }
        struct Record: Decodable { var table: [String: [String: Int]] }
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode(Record.self, from: Data(#"{"table":{"a":{"b":1,"c":"x"}}}"#.utf8))
        }
        #expect(asked.all == ["table"])
        guard case .typeMismatch(_, let context)? = error else { throw UnexpectedOutcome() }
        #expect(context.codingPath.map(\.stringValue) == ["table", "a", "c"])
    }
}

private struct UnexpectedOutcome: Error {}

private final class Recorded: @unchecked Sendable {  // used by one test on one thread
    var all: [String] = []
    func add(_ text: String) { all.append(text) }
}
