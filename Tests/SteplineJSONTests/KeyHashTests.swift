import Foundation
import TestSupport
import Testing

@testable import SteplineJSON

@Suite(.timeLimit(.minutes(5))) struct KeyHashTests {
    private static let count = 4_096

    /// Keys that would share a slot, or a fingerprint, were the hash not seeded or not of all bytes.
    private static let families: [String: @Sendable (Int) -> [UInt8]] = [
        "numbers": { Array("\($0)".utf8) },
        "middles": { Array("prefix--\(String($0 + 100_000))--suffix-".utf8) },
        "low bytes": { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 2) & 3) + 0x41 } },
        "high bytes": { number in
            [UInt8](repeating: 0x41, count: 14) + [UInt8(number >> 6), UInt8(number & 63)]
        },
        "swapped words": { number in
            let word = Array(String(number + 10_000_000).utf8)
            return number % 2 == 0
                ? word + [UInt8](repeating: 0x30, count: 8) : [UInt8](repeating: 0x30, count: 8) + word
        },
        "zeros": { [UInt8](repeating: 0, count: $0) },
    ]

    @Test(arguments: families.keys.sorted())
    func `chosen keys spread over a table as random ones do`(_ family: String) throws {
        let make = try #require(Self.families[family])
        let slots = (0..<Self.count).map { number in
            make(number).withUnsafeBufferPointer { KeyHash.full($0) } & UInt64(Self.count * 2 - 1)
        }
        // Random ones fill 79 in a hundred of the slots that they could; chance strays by less than two.
        #expect(Set(slots).count > Self.count * 74 / 100)
    }

    @Test func `each of many keys that are much alike is found, an escaped one too`() throws {
        let keys = (0..<(Chance.isSoak ? 100_000 : 5_000)).map { "prefix--\($0 + 100_000)--suffix-" }
        let members = keys.enumerated().map { "\"\($1)\":\($0)" } + [#""\u006bey":true"#]
        let json = try JSON(parsing: "{" + members.joined(separator: ",") + "}")
        #expect(json.count == members.count)
        #expect(keys.enumerated().allSatisfy { number, key in json[key]?.int == number })
        #expect(json["key"]?.bool == true && json["prefix--0--suffix-"] == nil)
    }
}
