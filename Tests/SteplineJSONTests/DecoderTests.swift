import Foundation
import SteplineJSON
import SteplineSupport
import TestSupport
import Testing

/// A type with most of what a type can have.
struct Sample: Codable, Equatable {
    enum Level: String, Codable { case low, high }
    enum Shape: Codable, Equatable { case circle(radius: Double), square }
    struct Inner: Codable, Equatable { var name: String, tags: [String], weights: [Double] }

    var id: Int
    var small: Int8?
    var big: UInt64
    var ratio: Double
    var single: Float
    var flag: Bool
    var level: Level
    var shapes: [Shape]
    var inner: Inner?
    var list: [Inner]
    var table: [String: Int]
    var numbers: [Int: String]
    var date: Date
    var url: URL?
    var data: Data
    var amount: Decimal
    var grid: [[Int?]]
}

@Suite(.timeLimit(.minutes(5))) struct DecoderTests {
    static func sample(_ random: inout StableRandom) -> Sample {
        func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
        func inner() -> Sample.Inner {
            .init(
                name: ["", "é", "a \"quote\"\n", "😀"][number(4)], tags: (0..<number(4)).map { "t\($0)" },
                weights: (0..<number(3)).map { Double($0) / 3 })
        }
        return Sample(
            id: number(1_000_000) - 500_000, small: number(2) == 0 ? nil : Int8(number(100)),
            big: UInt64.max - UInt64(number(1000)), ratio: Double.random(in: -1e9...1e9, using: &random),
            single: Float.random(in: -10...10, using: &random), flag: number(2) == 0,
            level: number(2) == 0 ? .low : .high,
            shapes: (0..<number(3)).map { $0 == 0 ? .square : .circle(radius: Double($0) / 7) },
            inner: number(2) == 0 ? nil : inner(), list: (0..<number(4)).map { _ in inner() },
            table: ["a": 1, "snake_case": number(9)], numbers: [1: "one", 2: "two"],
            date: Date(timeIntervalSince1970: Double(number(2_000_000_000))),
            url: URL(string: "https://example.com/\(number(9))"),
            data: Data((0..<number(20)).map { UInt8($0) }), amount: Decimal(number(100_000)) / 100,
            grid: [[1, nil], [], [number(9)]])
    }

    @Test func `PL-93 generated values come out as Foundation's decoder has them`() throws {
        let seed = Chance.seed
        var random = StableRandom(seed: seed)
        let dates: [(JSONEncoder.DateEncodingStrategy, JSONDecoder.DateDecodingStrategy)] = [
            (.deferredToDate, .deferredToDate), (.secondsSince1970, .secondsSince1970),
            (.millisecondsSince1970, .millisecondsSince1970), (.iso8601, .iso8601),
        ]
        for round in 0..<200 {
            let encoder = JSONEncoder()
            let foundation = JSONDecoder()
            var decoder = JSON.Decoder()
            (encoder.dateEncodingStrategy, foundation.dateDecodingStrategy) = dates[round % 4]
            decoder.dateDecodingStrategy = dates[round % 4].1
            if round % 3 == 0 {
                encoder.dataEncodingStrategy = .deferredToData
                foundation.dataDecodingStrategy = .deferredToData
                decoder.dataDecodingStrategy = .deferredToData
            }
            if round % 5 == 0 {
                encoder.keyEncodingStrategy = .convertToSnakeCase
                foundation.keyDecodingStrategy = .convertFromSnakeCase
                decoder.keyDecodingStrategy = .convertFromSnakeCase
            }
            let data = try encoder.encode((0..<3).map { _ in Self.sample(&random) })
            #expect(
                try decoder.decode([Sample].self, from: data) == foundation.decode([Sample].self, from: data))
        }
    }

    private struct Plain: Codable, Equatable { var id: Int, name: String?, list: [Double] }

    /// The kind of the error and its path, as both decoders should have them.
    private func outcome<T: Decodable & Equatable>(_ decode: () throws -> T) -> String {
        do {
            return "\(try decode())"
        } catch let error as DecodingError {
            func path(_ context: DecodingError.Context) -> String {
                context.codingPath.map(\.stringValue).joined(separator: "/")
            }
            switch error {
            case .typeMismatch(let type, let context): return "mismatch \(type) \(path(context))"
            case .valueNotFound(let type, let context): return "no value \(type) \(path(context))"
            case .keyNotFound(let key, let context): return "no key \(key.stringValue) \(path(context))"
            case .dataCorrupted: return "corrupted"  // Foundation gives no path for numbers that don't fit
            @unknown default: return "unknown"
            }
        } catch {
            return "error"
        }
    }

    @Test(arguments: [
        #"[{"id":1,"list":[]}]"#, #"[{"id":1.0,"list":[1,2.5]}]"#, #"[{"id":"1","list":[]}]"#,
        #"[{"list":[]}]"#,
        #"[{"id":null,"list":[]}]"#, #"[{"id":1,"name":5,"list":[]}]"#, #"[{"id":1,"list":[1,"x"]}]"#,
        #"[{"id":1,"list":{}}]"#,
        #"[{"id":1.5,"list":[]}]"#, #"[{"id":99999999999999999999,"list":[]}]"#,
        #"[{"id":1,"list":[1e999]}]"#, #"[[]]"#, #"{}"#,
        #"[{"id":1,"list":[null]}]"#, #"[{"id":1,"list":[]},{"id":true,"list":[]}]"#, "[null]",
        #"[{"id":1,"name":null,"list":[0]}]"#,
        #"[{"id":1e2,"list":[-0]}]"#, #"[{"id":-9223372036854775809,"list":[]}]"#,
    ])
    func `PL-91 PL-93 wrong shapes are the same errors at the same paths`(_ text: String) {
        let data = Data(text.utf8)
        let mine = outcome { try JSON.Decoder().decode([Plain].self, from: data) }
        let theirs = outcome { try JSONDecoder().decode([Plain].self, from: data) }
        #expect(mine == theirs)
    }

    @Test(arguments: [
        "1", "300", "-1", "1.5", "128", "\"1\"", "null", "true", "1e2", "255", "1e39", "3.4028236e38", "0.1",
        "\"NaN\"", "[]", "{}",
        "1.0", "16777217", "100000000000000000000000000000000000000000",
    ])
    func `PL-93 plain values come out as Foundation's decoder has them`(_ text: String) {
        func compare<T: Decodable & Equatable>(_ type: T.Type) {
            let data = Data(text.utf8)
            let mine = outcome { try JSON.Decoder().decode(type, from: data) }
            let theirs = outcome { try JSONDecoder().decode(type, from: data) }
            #expect(mine == theirs, "\(type)")
        }
        compare(Int8.self)
        compare(UInt8.self)
        compare(Int.self)
        compare(UInt64.self)
        compare(Int128.self)
        compare(Float.self)
        compare(Double.self)
        compare(Bool.self)
        compare(String.self)
        compare(Decimal.self)
        compare(Int?.self)
        compare([Int].self)
        compare([String: Int].self)
    }
}
