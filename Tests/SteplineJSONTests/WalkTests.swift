import Foundation
import SteplineJSON
import SteplineSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct WalkTests {
    /// The steps as text, the values asked for on the way.
    private static func steps(_ json: JSON, skipping: Set<String> = []) -> [String] {
        var steps: [String] = []
        var walk = json.walk()
        while let step = walk.next() {
            switch step {
            case .null: steps.append("null")
            case .bool(let truth): steps.append("\(truth)")
            case .number: steps.append(walk.value.literal ?? "")
            case .string: steps.append("'\(walk.string ?? "")'")
            case .key: steps.append("\(walk.string ?? ""):")
            case .array: steps.append("[\(walk.count)")
            case .object: steps.append("{\(walk.count)")
            case .end: steps.append("end")
            }
            if let last = steps.last, skipping.contains(last) { walk.skip() }
        }
        let after = walk.next()
        #expect(after == nil)
        return steps
    }

    private static let document: JSON = [
        "a": [1, [], ["x": nil]], "b": ["c": true, "d": [:]], "e": "f", "g": 2.5,
    ]

    @Test func `issue 16: a walk visits all values in order`() {
        #expect(
            Self.steps(Self.document) == [
                "{4", "a:", "[3", "1", "[0", "end", "{1", "x:", "null", "end", "end", "b:", "{2", "c:",
                "true",
                "d:", "{0", "end", "end", "e:", "'f'", "g:", "2.5", "end",
            ])
        #expect(Self.steps("x") == ["'x'"] && Self.steps([]) == ["[0", "end"] && Self.steps(nil) == ["null"])
        #expect(Self.steps(Self.document["b"] ?? nil) == ["{2", "c:", "true", "d:", "{0", "end", "end"])
    }

    @Test func `issue 16: a walk passes over values and contents`() {
        #expect(
            Self.steps(Self.document, skipping: ["a:", "e:", "g:"]) == [
                "{4", "a:", "b:", "{2", "c:", "true", "d:", "{0", "end", "end", "e:", "g:", "end",
            ])
        #expect(
            Self.steps(Self.document, skipping: ["[3", "{2", "'f'"]) == [
                "{4", "a:", "[3", "b:", "{2", "e:", "'f'", "g:", "2.5", "end",
            ])
        #expect(Self.steps(Self.document, skipping: ["{4"]) == ["{4"])
        #expect(Self.steps([[], 1], skipping: ["[0"]) == ["[2", "[0", "1", "end"])
    }

    @Test func `issue 16: an edited value is walked as any other`() {
        var json = Self.document
        json["a"][1] = ["new"]
        json["e"] = nil
        #expect(
            Self.steps(json, skipping: ["b:"]) == [
                "{3", "a:", "[3", "1", "[1", "'new'", "end", "{1", "x:", "null", "end", "end", "b:", "g:",
                "2.5",
                "end",
            ])
    }

    @Test func `issue 16: what is asked for on the way is what the values say`() throws {
        let json = try JSON(parsing: #"["é\n\u00e9\ud83d\ude00", "", 12345678901234567890, -0.5e1, 1e400]"#)
        var walk = json.walk()
        var values = json.elements.makeIterator()
        _ = walk.next()
        let text = (walk.string, walk.withUTF8 { $0.count })
        let numbers = (walk.int, walk.double, walk.count)
        #expect(text == (nil, 0) && numbers == (nil, nil, 5))
        while let step = walk.next(), step != .end {
            let value = values.next() ?? nil
            let (found, string, int, double) = (walk.value, walk.string, walk.int, walk.double)
            #expect(found == value && string == value.string && int == value.int && double == value.double)
            let text = walk.withUTF8 { String(decoding: $0, as: UTF8.self) }
            #expect(text == value.string ?? value.literal)
        }
        #expect(values.next() == nil)
    }

    @Test(arguments: 0..<20) func `issue 16: a walk through random documents sees what the values are`(
        _ seed: UInt64
    ) throws {
        var random = RandomDocument(random: StableRandom(seed: Chance.seed &+ seed))
        let json = try JSON(parsing: random.value())
        func steps(_ json: JSON) -> [String] {
            switch json.kind {
            case .null: return ["null"]
            case .bool: return ["\(json.bool == true)"]
            case .number: return [json.literal ?? ""]
            case .string: return ["'\(json.string ?? "")'"]
            case .array: return ["[\(json.count)"] + json.elements.flatMap(steps) + ["end"]
            case .object:
                return ["{\(json.count)"] + json.members.flatMap { ["\($0.key):"] + steps($0.value) } + [
                    "end"
                ]
            }
        }
        #expect(Self.steps(json) == steps(json), "seed \(seed)")
    }
}
