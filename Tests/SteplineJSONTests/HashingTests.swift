import Foundation
import SteplineJSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HashingTests {
    @Test func `records of one shape hash differently`() throws {
        let records = try (0..<2_000).map { number in
            try JSON(parsing: #"{"id":\#(number),"name":"n\#(number)","in":{"deep":[\#(number)]}}"#)
        }
        #expect(Set(records.map(\.hashValue)).count == records.count)
        #expect(Set(records).count == records.count)
    }

    @Test(arguments: [
        (#"{"a":{"b":1}}"#, #"{"a":{"b":2}}"#), ("[[1]]", "[[2]]"), ("[[],[1]]", "[[1],[]]"),
        (#"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#), ("[[]]", "[{}]"), ("[null]", "[false]"), ("[]", "[[]]"),
        (#"[{"a":1},{"b":2}]"#, #"[{"a":1,"b":2},{}]"#), ("[1,10]", "[10,1]"), ("\"1\"", "1"),
        (#"{"a":[1,2]}"#, #"{"a":[2,1]}"#), (#"{"ab":"c"}"#, #"{"a":"bc"}"#), ("-1", "1"), ("0", "null"),
    ])
    func `values that differ somewhere inside hash differently`(_ left: String, _ right: String) throws {
        #expect(try JSON(parsing: left).hashValue != JSON(parsing: right).hashValue)
    }

    @Test func `a deep value hashes like another of the same text, and unlike a part of it`() throws {
        let depth = Chance.isSoak ? 200_000 : 20_000
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let options = JSON.Options(maximumDepth: depth)
        let (json, again) = try (JSON(parsing: text, options: options), JSON(parsing: text, options: options))
        #expect(json.hashValue == again.hashValue)
        #expect(json.hashValue != json[0]?.hashValue)
    }
}
