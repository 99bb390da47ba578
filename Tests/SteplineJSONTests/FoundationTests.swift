import Foundation
import SteplineJSON
import SteplineSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FoundationTests {
    @Test func `PL-89 objects cast as Foundation's do`() throws {
        let json = try JSON(parsing: #"{"a":[1,2.5,true,null,"x"],"b":{"c":18446744073709551615}}"#)
        let object = try #require(json.foundationObject as? [String: Any])
        let list = try #require(object["a"] as? [Any])
        #expect(list[0] as? Int == 1)
        #expect(list[1] as? Double == 2.5)
        #expect(list[2] as? Bool == true)
        #expect(list[3] is NSNull)
        #expect(list[4] as? String == "x")
        #expect((object["b"] as? [String: Any])?["c"] as? UInt64 == .max)
        #expect(JSON.null.foundationObject == nil)
        #expect(JSON("a").foundationObject as? String == "a")
        #expect((try JSON(elements: []).foundationObject as? [Any])?.isEmpty == true)
    }

    @Test func `generated documents are what Foundation makes of them`() throws {
        let seed = Chance.seed
        var maker = RandomDocument(random: StableRandom(seed: seed))
        for round in 0..<1500 {
            let text = maker.value()
            let expected = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            let json = try JSON(parsing: text)
            let found = json.foundationObject ?? NSNull()
            if !isEqual(found, expected) { Issue.record("round \(round), seed \(seed): \(text)") }
            #expect(try JSON(parsing: json.prettyPrinted) == json)
        }
    }

    @Test func `damaged text that is accepted is accepted by Foundation too`() throws {
        let seed = Chance.seed
        var maker = RandomDocument(random: StableRandom(seed: seed))
        var taken = 0
        for round in 0..<3000 {
            var bytes = Array(maker.value().utf8)
            for _ in 0...1 {
                let place = Int.random(in: 0..<bytes.count, using: &maker.random)
                bytes[place] =
                    Array("\"\\{}[]:,0e.-+ tnf\u{1}x".utf8 + [0x80, 0xC3, 0xFF]).randomElement(
                        using: &maker.random) ?? 0
            }
            guard let json = try? JSON(parsing: Data(bytes)) else { continue }
            taken += 1
            let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            if theirs == nil, !hasHugeNumber(json) {
                Issue.record("round \(round), seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
            }
        }
        #expect(taken > 0)
    }

    /// Foundation refuses numbers beyond a double.
    private func hasHugeNumber(_ json: JSON) -> Bool {
        json.description.contains { $0 == "e" }
            && (try? json.query("$..*"))?.contains { $0.literal != nil && $0.double == nil } == true
            || json.literal != nil && json.double == nil
    }

    private func isEqual(_ mine: Any, _ theirs: Any) -> Bool {
        switch (mine, theirs) {
        case (let mine as [String: Any], let theirs as [String: Any]):
            mine.count == theirs.count
                && mine.allSatisfy { key, value in theirs[key].map { isEqual(value, $0) } ?? false }
        case (let mine as [Any], let theirs as [Any]):
            mine.count == theirs.count && zip(mine, theirs).allSatisfy { isEqual($0, $1) }
        case (let mine as NSNumber, let theirs as NSNumber):
            // Foundation's are decimals, whose doubles are off by some units in the last place.
            mine == theirs || abs(mine.doubleValue - theirs.doubleValue) <= mine.doubleValue.ulp * 64
        case (let mine as String, let theirs as String): mine == theirs
        default: mine is NSNull && theirs is NSNull
        }
    }
}
