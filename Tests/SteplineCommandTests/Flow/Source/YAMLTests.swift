import Foundation
import SteplineJSON
import SteplineSupport
import TestSupport
import Testing

@testable import SteplineCommand

@Suite(
    "Workflow files: YAML", .timeLimit(.minutes(5)), .enabled(if: LibYAML.isNeeded, "\(LibYAML.absence)"))
struct YAMLTests {
    private func read(_ text: String) -> (node: FlowNode?, findings: [String]) {
        var issues = FlowIssues()
        let source = FlowSource(name: "f.yaml", text: text)
        let node = source.parse(&issues)
        return (node, issues.sorted.map { "\(source.place(at: $0.offset)): \($0.message)" })
    }

    @Test(
        "scalars are what the core schema of YAML 1.2 makes of them",
        arguments: [
            ("[null, Null, NULL, ~, '~', \"null\", nULL]", #"[null,null,null,null,"~","null","nULL"]"#),
            ("a:\nb: ''", #"{"a":null,"b":""}"#),
            ("[true, True, TRUE, false, False, FALSE]", "[true,true,true,false,false,false]"),
            ("[yes, no, on, off, y, n, tRUE, 'true']", #"["yes","no","on","off","y","n","tRUE","true"]"#),
            ("[0, 1, -1, +1, 0o17, 0x1F, 0xff, -0]", "[0,1,-1,1,15,31,255,-0]"),
            ("[1.5, .5, 5., -.5, 1e3, 1E-3, +1.e2]", "[1.5,0.5,5,-0.5,1e3,1e-3,1e2]"),
            (
                "[1_000, 0b1, -0x1F, 0o9, 0X1F, 12:30, 2026-11-23, 1.2.3]",
                #"["1_000","0b1","-0x1F","0o9","0X1F","12:30","2026-11-23","1.2.3"]"#
            ),
            (
                "[+, -a, ., '12', \"1.5\", 1 2, 0xg, '.nan', e3, 1e]",
                #"["+","-a",".","12","1.5","1 2","0xg",".nan","e3","1e"]"#
            ),
            ("[12345678901234567890, 0.1000, 1e400]", "[12345678901234567890,0.1000,1e400]"),
            (
                "[!!str 12, !!int '12', !!float 1, !!bool \"true\", !!null '', ! 12, !!str ]",
                #"["12",12,1,true,null,"12",""]"#
            ),
            ("a: !!map {b: !!seq [c]}", #"{"a":{"b":["c"]}}"#),
            (
                "a: |\n  one\n   two\n\n  three\n\nb: |-\n  x\nc: |+\n  x\n\nd: 1",
                #"{"a":"one\n two\n\nthree\n","b":"x","c":"x\n\n","d":1}"#
            ),
            (
                "a: >\n  one\n  two\n\n  three\n    four\nb: >-\n  x\n  y",
                #"{"a":"one two\nthree\n  four\n","b":"x y"}"#
            ),
            (
                "a: one\n  two\n\n  three\nb: 'it''s\n  here'\nc: \"\\x41\\u00e9\\U0001F600\\0\\t\\\n   x\"",
                #"{"a":"one two\nthree","b":"it's here","c":"Aé😀\u0000\tx"}"#
            ),
            (
                "\u{FEFF}# é\r\na:\r\n  - é\r\n  -\r\n---\r\n".replacingOccurrences(of: "---\r\n", with: ""),
                #"{"a":["é",null]}"#
            ),
            ("%YAML 1.2\n---\na: {b, c: [d: 1]}\n...\n", #"{"a":{"b":null,"c":[{"d":1}]}}"#),
        ])
    func scalars(text: String, expected: String) throws {
        let (node, findings) = read(text)
        #expect(findings.isEmpty)
        #expect(try #require(node).json.description == expected)
    }

    @Test("a value in YAML and the same in JSON5 are one meaning")
    func meaning() throws {
        var yaml = FlowMeaning()
        var json5 = FlowMeaning()
        yaml.add(try #require(read("b: [1.50, 0x10, no]\na: >-\n  it is\n  so\nc: {d: ~, e: true}").node))
        let source = FlowSource(
            name: "f", text: "{ a: 'it is so', c: { d: null, e: true }, b: [1.50, 16, 'no'] }")
        var issues = FlowIssues()
        json5.add(try #require(source.parse(&issues)))
        #expect(yaml.value == json5.value)
    }

    @Test(
        "a mistake has its line and column",
        arguments: [
            ("", "1:1: the file is empty"), ("# x\n", "1:1: the file is empty"),
            ("\u{FEFF}", "1:1: the file is empty"),
            ("a: b: c", "1:5: unexpected colon"), ("a: 1\n  b: 2", "2:4: unexpected colon"),
            ("é: [1, {b: 2}\nc: 3", "2:1: a comma is missing"),
            ("é: [1, {b: 2}\n", "1:4: the list is never closed"),
            ("a: {b: 1", "1:4: the object is never closed"),
            ("a: {b: [1, 2}", "1:8: the list is never closed"),
            ("{a: 1 b: 2}", "1:8: a comma is missing"),
            ("a: {load: ${x}/b}", "1:11: a text with ${…} needs quotes between brackets"),
            ("a: 'x\n", "1:4: the string is never closed"),
            ("a: \"x\n---\n", "1:4: the string is never closed"),
            ("a:\n\tb: 1", "2:1: a tab can't indent"), ("a: b\n\tc", "2:1: a tab can't indent"),
            ("a: @x", "1:4: a text can't begin with '@'"), ("a: `x`", "1:4: a text can't begin with '`'"),
            ("a: *", "1:4: a text can't begin with '*'"), ("a: **/b", "1:4: a text can't begin with '*'"),
            ("a: 1\nb\nc: 2", "2:1: a colon is missing after the key"),
            ("a: 'b' + c", "1:8: unexpected text after a string"),
            ("a: b #c\n  d", "2:3: expected a key here"), ("- a\nb: 1", "2:1: expected '- ' here"),
            ("a: - b", "1:4: a list can't begin here"), ("a: }", "1:4: expected a value here, not '}'"),
            (" a: 1\nb: 2", "2:1: unexpected text after the file's value"),
            ("a: \"\\q\"", "1:5: malformed escape"), ("a: \"\\ud800\"", "1:7: malformed escape"),
            ("a: !x!y z", "1:4: the tag isn't supported"),
            ("a: ? b", "1:4: mapping keys are not allowed in this context"),
            ("%YAML 1.1\n---\na: 1", "1:1: the file must be YAML 1.2"),
            ("%YAML 1.3\n---\na: 1", "1:1: the file must be YAML 1.2"),
            ("%TAG !e! x\n---\na: 1", "1:1: the directive %TAG isn't supported"),
            ("a: 1\n...\n%TAG !e! x\n---\n", "3:1: the directive %TAG isn't supported"),
            ("a: 1\n---\nb: 2", "2:1: a workflow file has only one document"),
            ("a: 1\nb: 2\n a: 3", "3:3: unexpected colon"),
            ("é: {a: 1, ä: 2, a: 3}", "1:17: duplicate key \"a\""),
            ("a: {<<: {b: 1}}", "1:5: the merge key << isn't supported"),
            ("1: a", "1:1: the key 1 is a number, not text"),
            ("true: a", "1:1: the key true is true or false, not text"),
            ("?\n: a", "1:2: a key is missing"), (": a", "1:1: expected a key here"),
            ("? [a, b]\n: c", "1:3: a list can't be a key"),
            ("&k a: 1\n*k : 2", "2:1: an alias can't be a key"),
            ("a: !!set {b}", "1:4: the tag !!set isn't supported here"),
            ("a: !it.done", "1:4: the tag !it.done isn't supported here"),
            ("a: !!int x", "1:10: \"x\" is no !!int"), ("a: !!bool 1", "1:11: 1 is no !!bool"),
            ("a: !!int 1.5", "1:10: 1.5 is no !!int"),
            ("a: !!seq {b: 1}", "1:4: the tag !!seq isn't supported here"),
            ("a: 007", "1:4: the number 007 begins with 0"),
            ("a: -00.5", "1:4: the number -00.5 begins with 0"),
            ("a: .inf", "1:4: .inf can't be used: numbers are finite"),
            ("a: -.INF", "1:4: -.INF can't be used: numbers are finite"),
            ("a: .NaN", "1:4: .NaN can't be used: numbers are finite"),
            ("a: 0x1FFFFFFFFFFFFFFFF", "1:4: the number 0x1FFFFFFFFFFFFFFFF is too large"),
            ("a: *b", "1:4: there is no anchor &b before this alias"),
            ("a: &b [1, *b]", "1:11: the value of &b can't contain itself"),
            ("é: '\u{7}'", "1:5: unexpected character U+0007"),
            ("a: b\u{2028}c", "1:5: unexpected character U+2028"),
            ("a: b\u{85}c", "1:5: unexpected character U+0085"),
            ("a\u{0}", "1:2: unexpected character U+0000"),
            ("a: \u{FEFF}b", "1:4: unexpected character U+FEFF"),
        ])
    func refuses(text: String, finding: String) {
        #expect(read(text).findings.first == finding)
    }

    @Test("reading stops at the first mistake; duplicate keys don't stop it")
    func several() {
        let (node, findings) = read("c: 1\nc: 007\nb: *x\n1: !y z")
        #expect(findings == ["2:4: the number 007 begins with 0"])
        #expect(node == nil)
        let twice = read("a: 1\na: {b: 1, b: 2}")
        #expect(twice.findings == ["2:1: duplicate key \"a\"", "2:11: duplicate key \"b\""])
        #expect(twice.node != nil)
    }

    @Test("an alias repeats its value; an error in it is reported once, at the anchor")
    func aliases() throws {
        let (node, findings) = read("a: &x [1, &y {b: é}]\nc: *x\nd: [*y, *y]\ne: &x no\nf: *x")
        #expect(findings.isEmpty)
        let expected = #"{"a":[1,{"b":"é"}],"c":[1,{"b":"é"}],"d":[{"b":"é"},{"b":"é"}],"e":"no","f":"no"}"#
        #expect(try #require(node).json.description == expected)
        let flow = FlowSource(
            name: "f.yaml",
            text: "tasks:\n  a: {steps: &s [{value: 1, nope: 2}]}\n  b: {steps: *s}")
        #expect(flow.findings() == ["2:29: error: unknown key \"nope\" in a step that does value"])
    }

    @Test("more blanks in a row than a file needs are refused at once")
    func blanks() {
        let words = String(repeating: "y ", count: 500_000)
        let (_, findings) = read("a: \"x" + String(repeating: " ", count: 2_000_000) + words + "\"")
        #expect(findings == ["1:1030: more than 1024 blanks and line breaks in a row"])
        let (node, none) = read("a: 1" + String(repeating: "\n", count: 1000) + "b: 2")
        #expect(node != nil && none.isEmpty)
    }

    @Test("aliases that stand for billions of values, or for endless depth, are refused at once")
    func bombs() {
        var lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
        for level in 1...20 {
            let alias = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            lines.append("a\(level): &a\(level) [\(alias)]")
        }
        #expect(
            read(lines.joined(separator: "\n")).findings == ["6:25: aliases repeat more than 1 MiB of text"])
        let deep = (1...80).map { "a\($0): &a\($0) [*a\($0 - 1)]" }
        let (_, findings) = read((["a0: &a0 []"] + deep).joined(separator: "\n"))
        #expect(findings == ["64:12: more than 64 levels deep"])
        let long = String(repeating: "é", count: 300_000)
        #expect(
            read("a: &a '\(long)'\nb: [*a, *a]").findings
                == ["2:9: aliases repeat more than 1 MiB of text"])
    }

    @Test(
        "an error in an expression has its place, whatever the style of the text",
        arguments: [
            ("a ${nope} b", "4:20"), ("'a''b ${nope}'", "4:24"), ("\"\\x41\\té\\U0001F600 ${nope}\"", "4:37"),
            ("&x !!str ${nope}", "4:27"), ("a\n         b  c\n\n         d ${nope}", "7:14"),
            ("'a\n\n         d ${nope}'", "6:14"), ("\"a \\\n        b\\n\n        \\  ${nope}\"", "6:14"),
            ("|\n          a\n           ${nope}", "6:14"),
            (">2-  # folded\n\n          a\n            b\n\n          c ${nope}", "9:15"),
        ])
    func places(text: String, place: String) {
        let source = FlowSource(
            name: "f.yaml", text: "tasks:\n  a:\n    steps:\n      - value: \(text)\n")
        let finding = source.findings().first
        #expect(
            finding?.hasPrefix("\(place): error: there is no parameter \"nope\"") == true, "\(finding ?? "")")
    }

    @Test("depth, size, bytes that aren't text, and what chance makes of a good file end in findings")
    func hostile() throws {
        for opening in ["[", "{a: ", "[[{a: ", "- ", "&a [", "[\n"] {
            #expect(read(String(repeating: opening, count: 20_000)).findings.count == 1, "\(opening)")
        }
        #expect(
            FlowSource(name: "f.yaml", text: String(repeating: "- [a, {b: é}]\n", count: 20_000)).findings()
                == ["1:1: error: a workflow file is an object, not a list"])
        let long = String(repeating: "1", count: 100_000)
        for text in ["a: !#", "a: *#", "a: 0#", "a: !!int x#", "a: 0x#", "a: &b [*b#]", "? #\n: b"] {
            let finding = read(text.replacing("#", with: long)).findings.first ?? ""
            #expect((1..<200).contains(finding.count), "\(text): \(finding.prefix(300))")
        }
        let stairs = (0..<100).map { String(repeating: " ", count: $0) + "a:\n" }
        #expect(read(stairs.joined()).findings == ["65:65: more than 64 levels deep"])
        var issues = FlowIssues()
        let invalid = FlowSource(name: "f.yaml", bytes: Array("a:\n '".utf8) + [0xC3, 0x28])
        #expect(invalid.parse(&issues) == nil)
        #expect(
            issues.all.map { "\(invalid.place(at: $0.offset)): \($0.message)" } == [
                "2:3: the file isn't UTF-8"
            ])

        var chance = StableRandom(seed: Chance.seed)
        for round in 0..<Chance.rounds(200) {
            let signs = Array("[]{}-:,&*!|>'\"%@?#~ab01.\\\n\n  \té".utf8)
            let bytes = (0..<Int.random(in: 0...80, using: &chance)).map { _ in
                round % 3 == 0
                    ? UInt8.random(in: 0...255, using: &chance) : signs.randomElement(using: &chance) ?? 0
            }
            #expect(FlowSource(name: "f.yaml", bytes: bytes).findings().count < 100, "round \(round)")
        }
        let good = try FlowFixtures.source("join.yaml").bytes
        for round in 0..<Chance.rounds(150) {
            var bytes = good
            for _ in 0..<Int.random(in: 1...6, using: &chance) {
                let place = Int.random(in: 0..<bytes.count, using: &chance)
                switch Int.random(in: 0..<3, using: &chance) {
                case 0: bytes[place] = UInt8.random(in: 9...127, using: &chance)
                case 1: bytes.remove(at: place)
                default:
                    bytes.insert(Array("{}[],:'\"\\&*\n ".utf8).randomElement(using: &chance) ?? 0, at: place)
                }
            }
            #expect(FlowSource(name: "f.yaml", bytes: bytes).findings().count < 200, "round \(round)")
        }
        for count in stride(from: 0, to: good.count, by: 13) {
            let findings = FlowSource(name: "f.yaml", bytes: Array(good.prefix(count))).findings()
            #expect(findings.count < 20, "\(count)")
        }
    }
}
