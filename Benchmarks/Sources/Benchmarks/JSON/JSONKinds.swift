import Foundation
import Stepline

#if SIMDJSONRival
    import CSimdJSONPeer
#endif

/// Documents of five kinds: parsed, walked through to the last value, and decoded, beside those who are quick at it.
///
/// All that is held against each other is done in turns.
enum JSONKinds: Benchmark {
    static let name = "json-kinds"
    static let summary =
        "parse, walk through and decode nested records, long strings, numbers, tweets, escaped tweets"

    static func run() throws -> [Finding] {
        var random = LinearGenerator(state: 42)
        let tweets = Tweet.some(3_000, &random)
        return findings("nested records", [Nested].self, encoded(Nested.some(3_000, &random)))
            + findings("long strings", [Essay].self, encoded(Essay.some(300, &random)))
            + findings("numbers", [Coordinates].self, encoded(Coordinates.some(25_000, &random)))
            + findings("tweets", [Tweet].self, encoded(tweets))
            + findings("escaped tweets", [Tweet].self, escaped(encoded(tweets)))
    }

    private static func findings<T: Decodable>(_ kind: String, _ type: [T].Type, _ data: Data) -> [Finding] {
        let foundation = JSONDecoder()
        let decoder = JSON.Decoder()
        let decoding = duel(
            data, { check(orFail { try foundation.decode(type, from: data) }.count) },
            { check(orFail { try decoder.decode(type, from: data) }.count) })
        return beside(kind, data)
            + [
                Finding(
                    "decode \(kind)", 1_000 / decoding.medians[1], "MB/s", rival: "Foundation, MB/s",
                    rivalValue: 1_000 / decoding.medians[0]),
                Finding("decode \(kind), of Foundation's time", 1 / decoding.ratios[1], "times", bound: 0.4),
            ]
    }

    /// Parsing, and parsing with a walk through all values.
    private static func beside(_ kind: String, _ data: Data) -> [Finding] {
        #if SIMDJSONRival
            let rival = "simdjson, MB/s"
            func parseByRival() { check(peer(data, peer_simdjson_parse)) }
            func walkByRival() { check(peer(data, peer_simdjson_walk)) }
        #else
            let rival = "Foundation, MB/s"
            func parseByRival() { check(orFail { try JSONSerialization.jsonObject(with: data) } as? [Any]) }
            func walkByRival() {
                check(total(of: orFail { try JSONSerialization.jsonObject(with: data) }))
            }
        #endif
        let parsing = duel(data, parseByRival, { check(orFail { try JSON(parsing: data) }.count) })
        let walking = duel(
            data, walkByRival, { check(total(of: orFail { try JSON(parsing: data) })) },
            { check(total(ofValuesIn: orFail { try JSON(parsing: data) })) })
        func found(_ what: String, _ duel: Duel, _ contender: Int) -> [Finding] {
            [
                Finding(
                    "\(what) \(kind)", 1_000 / duel.medians[contender], "MB/s", rival: rival,
                    rivalValue: 1_000 / duel.medians[0]),
                Finding("\(what) \(kind), of the rival's time", 1 / duel.ratios[contender], "times"),
            ]
        }
        return found("parse", parsing, 1) + found("parse and walk", walking, 1)
            + found("parse and take each value of", walking, 2)
    }

    private static func duel(_ data: Data, _ bodies: (() -> Void)...) -> Duel {
        Duel(rounds: 9, units: bodies.map { _ in data.count }, bodies)
    }

    private static func check(_ count: some Comparable & ExpressibleByIntegerLiteral) {
        if count < 1 { fatalError("there is something in it") }
    }

    private static func check(_ list: [Any]?) { check(list?.count ?? 0) }

    #if SIMDJSONRival
        private static func peer<R>(_ data: Data, _ body: (UnsafePointer<CChar>?, Int) -> R) -> R {
            data.withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress, $0.count) }
        }
    #endif

    /// Something that depends on every value: the numbers, and the lengths of the texts.
    private static func total(of json: JSON) -> Double {
        var sum = 0.0
        var walk = json.walk()
        while let step = walk.next() {
            switch step {
            case .key, .string: sum += Double(walk.withUTF8 { $0.count })
            case .number: sum += abs(walk.double ?? 0)
            case .bool(true): sum += 1
            default: break
            }
        }
        return sum
    }

    private static func total(ofValuesIn json: JSON) -> Double {
        switch json.kind {
        case .array: json.elements.reduce(0) { $0 + total(ofValuesIn: $1) }
        case .object:
            json.members.reduce(0) { $0 + Double($1.key.utf8.count) + total(ofValuesIn: $1.value) }
        case .string: Double(json.string?.utf8.count ?? 0)
        case .number: abs(json.double ?? 0)
        case .bool: json.bool == true ? 1 : 0
        case .null: 0
        }
    }

    private static func total(of object: Any) -> Double {
        switch object {
        case let list as [Any]: list.reduce(0) { $0 + total(of: $1) }
        case let members as [String: Any]:
            members.reduce(0) { $0 + Double($1.key.utf8.count) + total(of: $1.value) }
        case let text as String: Double(text.utf8.count)
        case let number as NSNumber: abs(number.doubleValue)
        default: 0
        }
    }
}
