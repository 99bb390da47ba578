import Foundation
import SteplineJSON
import SteplineSupport
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: JSON5", .timeLimit(.minutes(5)))
struct JSON5Tests {
    private func read(_ text: String) -> (node: FlowNode?, findings: [String]) {
        var issues = FlowIssues()
        let source = FlowSource(name: "f", text: text)
        let node = JSON5Reader.read(source, &issues)
        return (node, issues.sorted.map { "\(source.place(at: $0.offset)): \($0.message)" })
    }

    @Test(
        "comments, trailing commas, other quotes, plain keys and other numbers are what JSON5 makes of them",
        arguments: [
            "{}", "[1, 2, 3,]", "{a: 1, 'b': \"2\", \"c\": 'd', }",
            "// one\n[/* two */ 1 /* * / */]\n// three",
            "{$_ü9: null, ключ: true}",
            "['a\\'b', \"a'b\"]",
            "[+1, -2, .5, 5., 1e3, -.5E-2, 0x1F, +0x0a, 0, -0]", "{\ta:\r\n1}",
            "\"just text\"", "[[], {}, [{}]]", "{a: {b: [{c: 'd'}, null]}}",
        ])
    func accepts(text: String) throws {
        let (node, findings) = read(text)
        #expect(findings.isEmpty)
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let foundations = try decoder.decode(JSON.self, from: Data(text.utf8))
        #expect(try #require(node).json.isSame(asFoundations: foundations), "\(text)")
    }

    @Test("JSON5 that Foundation does not read is read")
    func beyondFoundation() throws {
        let (node, findings) = read(
            "\u{FEFF}['\\v\\0\\q', 'tab\there',\u{2028}'a\\\u{2029}b',\u{A0}'\\x41\\u00e9\\ud83d\\ude00']")
        #expect(findings.isEmpty)
        #expect(node?.json == ["\u{B}\0q", "tab\there", "ab", "Aé😀"])
    }

    @Test(
        "a mistake is told with its line and column",
        arguments: [
            ("", "1:1: the file is empty"), ("  // x", "1:1: the file is empty"),
            ("{", "1:1: the object is never closed"), ("[1", "1:1: the list is never closed"),
            ("{a: 1\n b: 2}", "1:6: a comma is missing"), ("{a 1}", "1:4: a colon is missing after the key"),
            ("['a]", "1:2: the string is never closed"), ("['\\u12']", "1:3: malformed escape"),
            ("['\\ud800']", "1:3: malformed escape"), ("[01]", "1:2: malformed number"),
            ("[1.2.3]", "1:2: malformed number"), ("[0x]", "1:2: malformed number"),
            ("[Infinity]", "1:2: unknown word \"Infinity\""),
            ("[1] 2", "1:5: nothing may follow the closing brace"),
            ("[1,,2]", "1:4: expected a value here, not ','"),
            ("{3: 1}", "1:2: expected a key here, not '3'"),
            ("/* x", "1:1: the comment is never closed"), ("{\"é\": é}", "1:7: unknown word \"é\""),
            ("{a: 1,\n\n  ä: 1, a: 2}", "3:9: duplicate key \"a\""),
        ])
    func refuses(text: String, finding: String) {
        #expect(read(text).findings.first == finding)
    }

    @Test("reading stops at the first syntax mistake; duplicate keys don't stop it")
    func several() {
        let (node, findings) = read("{a: 01, b: [\nyes, 2],\nc: 'x\n, d: 04}")
        #expect(findings == ["1:5: malformed number"])
        #expect(node == nil)
        #expect(read("{a: 'x, b: 'y',\n c: 1}").findings == ["1:13: a comma is missing"])
        let twice = read("{a: 1, a: {b: 1,\nb: 2}}")
        #expect(twice.findings == ["1:8: duplicate key \"a\"", "2:1: duplicate key \"b\""])
        #expect(twice.node != nil)
    }

    @Test(
        "a string that is never closed is one mistake, whatever brackets it has taken",
        arguments: [
            "{a: {b: ['x}]}}\n", "{a: {b: ['x}]},\n c: [1]}\n", "{a: ['x{,\n 2]}", "{a: 'x]\n}",
            "{a: ['x]\n}",
            "{a: '{\n}\n",
        ])
    func openString(text: String) {
        let findings = read(text).findings
        #expect(
            findings.allSatisfy { $0.hasSuffix("the string is never closed") } && findings.count == 1,
            "\(findings)")
    }

    @Test("places in a string behind escapes are those of the file")
    func places() {
        let source = FlowSource(
            name: "f", text: "{ tasks: { a: { steps: [ { value: '\\u0041\\n\\'é${nope}' } ] } } }")
        #expect(source.findings().first?.hasPrefix("1:49: error: there is no parameter \"nope\"") == true)
    }

    @Test("depth without end, and whatever chance makes of a good file, ends in findings")
    func hostile() throws {
        for opening in ["[", "{a:", "[[{a:"] {
            #expect(read(String(repeating: opening, count: 50_000)).findings.count == 1)
        }
        let seed = Chance.seed
        var chance = StableRandom(seed: seed)
        let good = try FlowFixtures.source("weather.json5").bytes
        for round in 0..<Chance.rounds(150) {
            var bytes = good
            for _ in 0..<Int.random(in: 1...6, using: &chance) {
                let place = Int.random(in: 0..<bytes.count, using: &chance)
                switch Int.random(in: 0..<3, using: &chance) {
                case 0: bytes[place] = UInt8.random(in: 0...127, using: &chance)
                case 1: bytes.remove(at: place)
                default:
                    bytes.insert(Array("{}[],:'\"\\/$".utf8).randomElement(using: &chance) ?? 0, at: place)
                }
            }
            let findings = FlowSource(name: "f", bytes: bytes).findings()
            #expect(findings.count < 200, "seed \(seed), round \(round)")
        }
    }
}

extension JSON {
    /// Whether it is what Foundation has read, whose numbers lose how they were written.
    fileprivate func isSame(asFoundations other: JSON) -> Bool {
        switch (kind, other.kind) {
        case (.array, .array):
            count == other.count && zip(elements, other.elements).allSatisfy { $0.isSame(asFoundations: $1) }
        case (.object, .object):
            Set(keys) == Set(other.keys)
                && keys.allSatisfy { (self[$0] ?? .null).isSame(asFoundations: other[$0] ?? .null) }
        default: isSame(as: other)
        }
    }
}
