import Foundation
import SteplineJSON
import SteplineSupport
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: regular expressions in linear time", .timeLimit(.minutes(5)))
struct PatternTests {
    private func value(_ text: String) throws -> String {
        let formula = try ExpressionParser.parse(FlowText(text, start: 0))
        return try ExpressionEvaluator { _ in .null }.value(of: formula).description
    }

    private func mistake(_ text: String) -> (offset: Int, message: String)? {
        do {
            _ = try value(text)
            return nil
        } catch let error as ExpressionError {
            return (error.offset, error.message)
        } catch {
            return (-1, "\(error)")
        }
    }

    @Test(
        "texts are matched, taken apart and replaced",
        arguments: [
            (#"matches('photo.JPG', '(?i)\.(jpe?g|png)$')"#, "true"), ("matches('abc', '^b')", "false"),
            (#"match('on 2026-11-23', '(\d{4})-(\d\d)-(\d\d)')"#, #"["2026-11-23","2026","11","23"]"#),
            ("match('b', '(a)|(b)')", #"["b",null,"b"]"#), ("match('x', 'y')", "null"),
            (#"matchAll('a1 b22', '[a-z](\d+)')"#, #"[["a1","1"],["b22","22"]]"#),
            ("matchAll('aab', 'a*')", #"[["aa"],[""],[""]]"#), ("match('<a><b>', '<.*?>')[0]", #""<a>""#),
            (#"replaceAll('a@x, b@y', '(?<who>\w+)@\w+', '$who at $$1 $1')"#, #""a at $1 a, b at $1 b""#),
            ("replaceAll('über', '(?i)Ü', 'U')", #""Uber""#), (#"match('a\nb', '(?m)^b$')[0]"#, #""b""#),
            (#"matchAll('to be, to', '\bto\b')"#, #"[["to"],["to"]]"#), ("match('👍🏽!', '^.+!')[0]", #""👍🏽!""#),
            ("match('aaaa', 'a{2,3}')[0]", #""aaa""#), ("match(']-a', '[]a-]+')[0]", #""]-a""#),
            (#"match('a\\b', '[^\w]')[0]"#, #""\\""#), ("matches('', '^$')", "true"),
        ])
    func finds(text: String, expected: String) throws {
        #expect(try value(text) == expected)
    }

    @Test(
        "mistakes in a pattern and unsupported syntax are reported at their place",
        arguments: [
            ("matches('a', 'a(b')", 15, "this bracket is never closed"),
            ("matches('a', '*a')", 14, "there is nothing before \"*\" that could be repeated"),
            ("matches('a', 'a**')", 16, "it is repeated already"),
            ("matches('a', '[b-a]')", 15, "this range goes backwards"),
            (#"matches('a', '(a)\1')"#, 17, "patterns can't refer back to a group here"),
            ("matches('a', 'a(?=b)')", 15, "patterns can't look around here"),
            ("matches('a', 'a{3,2}')", 15, "2 is less than 3"),
            ("matches('a', 'a)')", 15, "there is no \"(\" for this \")\""),
            (#"matches('a', '\q')"#, 14, #"\q isn't known here"#),
            ("matches('a', '(a{1000}){1000}')", 14, "the pattern is too large: repeat less"),
            ("replaceAll('a', 'a', '$1')", 0, "replaceAll(): the pattern has no group \"1\""),
            (
                "matches('a', 'a' + '(')", 0,
                "matches(): this bracket is never closed, at character 2 of the pattern"
            ),
        ])
    func mistakes(text: String, offset: Int, message: String) throws {
        let found = try #require(mistake(text))
        #expect(found.message.hasPrefix(message) && found.offset == offset, "\(found)")
    }

    @Test("a match takes time by pattern length times text length, or is refused as too expensive")
    func hostile() throws {
        for pattern in [
            "(a+)+$x", "(a|a)*b", "(a*)*b", "(a|aa)+$b", "(.*)(.*)(.*)(.*)b",
            "(?:(?:(?:){1000}){1000}){1000}c",
        ] {
            // A backtracking engine needs two to the power of the length.
            let text = Array(repeating: UInt32(0x61), count: 500)
            var matcher = try PatternMatcher(
                try PatternParser.read(pattern), text, PatternSteps(200 * text.count))
            #expect(try matcher.match(from: 0) == nil, "\(pattern)")
        }
        let wide = try PatternParser.read(String(repeating: "a?", count: 500) + "b")
        var matcher = try PatternMatcher(wide, Array(repeating: 0x61, count: 1_000), PatternSteps(10_000))
        #expect(throws: FlowFunction.Misuse.self) { _ = try matcher.match(from: 0) }
        #expect(throws: PatternProgram.Mistake.self) {
            _ = try FlowPattern(String(repeating: "a", count: 1 << 20))
        }
        let deep = String(repeating: "(?:", count: 1_000) + String(repeating: ")", count: 1_000)
        #expect(throws: PatternProgram.Mistake.self) { _ = try FlowPattern(deep) }
        #expect(throws: FlowFunction.Misuse.self) {
            _ = try FlowPattern("()").all(in: "aaaa", room: 200)
        }
    }

    @Test("a match of the whole text is found, though a shorter alternative comes first")
    func whole() throws {
        for (pattern, text, isWhole) in [
            ("a|ab", "ab", true), ("a|ab", "abc", false), ("a*?", "aaa", true), ("b", "ab", false),
        ] {
            #expect(try FlowPattern(pattern).isWhole(text) == isWhole, "\(pattern) in \(text)")
        }
    }

    @Test("random patterns find what another engine finds")
    func random() throws {
        let seed = Chance.seed
        var chance = StableRandom(seed: seed)
        for _ in 0..<Chance.rounds(1_000) {
            let pattern = Self.pattern(3, &chance).text
            let text = String(
                (0..<Int.random(in: 0...9, using: &chance)).map { _ in
                    "abc".randomElement(using: &chance) ?? "a"
                })
            let theirs = try NSRegularExpression(pattern: pattern).firstMatch(
                in: text, range: NSRange(location: 0, length: text.utf16.count)
            ).map { NSStringFromRange($0.range) }
            let ours = try FlowPattern(pattern).first(in: text)?.ranges[0].map {
                NSStringFromRange(NSRange($0))
            }
            #expect(ours == theirs, "seed \(seed): \(pattern) in \(text)")
        }
    }

    /// A pattern, and whether it may find nothing; what may isn't repeated, of which engines think differently.
    private static func pattern(_ depth: Int, _ chance: inout StableRandom) -> (
        text: String, isEmpty: Bool
    ) {
        guard depth > 0 else {
            return (["a", "b", "c", ".", "[ab]", "[^a]"].randomElement(using: &chance) ?? "a", false)
        }
        let (first, second) = (pattern(depth - 1, &chance), pattern(depth - 1, &chance))
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: return (first.text + second.text, first.isEmpty && second.isEmpty)
        case 1: return ("(\(first.text)|\(second.text))", first.isEmpty || second.isEmpty)
        case 2: return ("^" + first.text, first.isEmpty)
        case 3 where !first.isEmpty:
            let sign = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}"].randomElement(using: &chance) ?? "*"
            return ("(?:\(first.text))\(sign)", "*?".contains(sign.prefix(1)))
        default: return (first.text + second.text + "$", first.isEmpty && second.isEmpty)
        }
    }
}
