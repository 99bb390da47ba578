import Foundation
import SteplineJSON
import SteplineSupport
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: functions of lists and dates", .timeLimit(.minutes(5)))
struct FunctionTests {
    private func value(_ text: String) throws -> String {
        let formula = try ExpressionParser.parse(FlowText(text, start: 0))
        return try ExpressionEvaluator { _ in .null }.value(of: formula).description
    }

    private func failure(_ text: String) -> String {
        do {
            return try "no failure but " + value(text)
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "lists are sorted, grouped and joined, texts split by scalars, dates read and written in a zone",
        arguments: [
            ("sort([3, 1, 2])", "[1,2,3]"),
            ("sort(['b', 'a', 10, 9, null, true])", #"[9,10,"a","b",true,null]"#),
            (
                "sort([{n: 2, k: 'x'}, {n: 1}, {k: 'none'}, {n: 2, k: 'y'}], 'n')",
                #"[{"n":1},{"n":2,"k":"x"},{"n":2,"k":"y"},{"k":"none"}]"#
            ),
            ("sort([9007199254740993, 9007199254740992])", "[9007199254740992,9007199254740993]"),
            ("reverse([1, 2])", "[2,1]"), ("unique([1, 1.0, '1', 'a', 'a'])", #"[1,"1","a"]"#),
            ("unique([{a: 1, b: 1}, {a: 1, b: 2}], 'a')", #"[{"a":1,"b":1}]"#),
            (
                "group([{k: 'x', n: 1}, {k: 'y', n: 2}, {k: 'x', n: 3}, {n: 4}], 'k')",
                #"{"x":[{"k":"x","n":1},{"k":"x","n":3}],"y":[{"k":"y","n":2}],"":[{"n":4}]}"#
            ),
            ("flatten([[1], 2, [[3]], []])", "[1,2,[3]]"), ("values({b: 1, a: 2})", "[1,2]"),
            ("merge({a: 1, b: 2}, {b: 3, c: 4})", #"{"a":1,"b":3,"c":4}"#), ("sort([])", "[]"),
            // Texts are split by scalars: a Windows line end contains a line feed.
            ("split('a\r\nb\n', '\n')", #"["a\r","b",""]"#), ("replace('a\r\n', '\n', '')", #""a\r""#),
            ("split('a~\u{301}b', '~')", "[\"a\",\"\u{301}b\"]"), ("contains('a/\u{301}b', '/')", "true"),
            ("contains('e\u{301}', 'e')", "true"), ("contains('e\u{301}', '\u{E9}')", "false"),
            ("url('b?c#d', 'HTTP://x.org:80/a/')", #""http://x.org/a/b?c""#),
            ("url('../%7eu v', 'https://x.org/a/b')", #""https://x.org/~u%20v""#),
            ("url('mailto:a@b.c', 'https://x.org')", "null"), ("url('a', 'b')", "null"),
            ("startsWith('/\u{301}x', '/')", "true"), ("endsWith('e\u{301}', '\u{301}')", "true"),
            ("length(merge({'e\u{301}': 1, '\u{E9}': 2}, {}))", "2"),
            ("unique(['e\u{301}', '\u{E9}'])[1]", "\"\u{E9}\""),
            ("length(group([{k: 'e\u{301}'}, {k: '\u{E9}'}], 'k'))", "2"),
            ("'\u{E9}' <= 'e\u{301}'", "false"),
            ("joinBy([{k: '\u{E9}'}], [{k: 'e\u{301}', n: 1}], 'k')[0].n ?? 0", "0"),
            ("matches('\u{E9}', '^\u{E9}$') && !matches('\u{E9}', '^e\u{301}$')", "true"),
            ("split('aaa', 'aa')", #"["","a"]"#), ("replaceAll('a', 'a', '$$\u{301}')", "\"$\u{301}\""),
            ("date('23.11.2026 16:04', 'dd.MM.yyyy HH:mm', 'Europe/Oslo')", "\"2026-11-23T15:04:00Z\""),
            (
                "dateText('2026-07-01T12:00:00Z', 'yyyy-MM-dd HH:mm', 'Europe/Oslo')",
                "\"2026-07-01 14:00\""
            ),
            ("dateText('2026-07-01', 'EEEE d MMM')", "\"Wednesday 1 Jul\""),
            ("dateAdd('2026-02-28', '1d')", "\"2026-03-01T00:00:00Z\""),
            ("dateAdd('2026-03-01', '-90s')", "\"2026-02-28T23:58:30Z\""),
            ("dateDiff('2026-11-24', '2026-11-23')", "86400"),
            ("dateDiff(now(), '2026-01-01') > 0 && dateDiff(now(), now()) <= 0", "true"),
        ])
    func values(text: String, expected: String) throws {
        #expect(try value(text) == expected)
    }

    @Test(
        "invalid arguments are mistakes",
        arguments: [
            ("date('yesterday')", "\"yesterday\" is no date as 2026-11-23"),
            ("dateDiff('2026-02-30', '2026-02-01')", "\"2026-02-30\" is no date"),
            ("date('x', 'yyyy')", "\"x\" is no date as \"yyyy\""),
            ("dateText('2026-01-01', 'yyyy', 'Mars/Base')", "there is no time zone \"Mars/Base\""),
            ("dateText('2026-01-01', 'yyyy', '')", "there is no time zone"),
            ("dateText('2026-01-01', 'yyyy', 'Europe/Oslo ')", "there is no time zone"),
            ("dateText('2026-01-01', 'yyyy', 'Berlin')", "there is no time zone"),
            ("dateText('2026-01-01', 'yyyy', '+5:45x')", "there is no time zone"),
            ("dateText('2026-01-01', 'yyyy', 'local')", "there is no time zone"),
            ("dateText('2026-01-01', 'yyyy', 'Europe/\u{301}Oslo')", "there is no time zone"),
            ("dateAdd('2026-01-01', 'soon')", "a time is written like"),
            ("dateAdd('9999-12-01', '300d')", "that date is too far away"),
            (
                "dateText('2026-01-01', '" + String(repeating: "y", count: 200) + "')",
                "the pattern is too long"
            ),
            ("sort(1)", "expected a list"), ("sort([1], 'a')", "a number has no member \"a\""),
            ("group([{k: [1]}], 'k')", "a list can't name a group"),
            ("merge(1, {})", "merge(): expected an object, not a number"),
        ])
    func mistakes(text: String, words: String) {
        #expect(failure(text).contains(words), "\(failure(text))")
    }

    @Test("every function is on the page of expressions, as its usage has it, and the page has no other")
    func page() throws {
        let page = try String(
            contentsOf: FlowFixtures.repository.appending(
                path: "Sources/Stepline/Documentation.docc/Expressions.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.contains(/^\| `[a-zA-Z]+\(/) }
        let listed = rows.compactMap { row in row.dropFirst(3).split(separator: "(").first.map(String.init) }
        #expect(listed.sorted() == FlowFunction.all.map(\.name).sorted())
        for function in FlowFunction.all {
            let parts = function.usage.split(separator: ": ", maxSplits: 1)
            let row = rows.first { $0.hasPrefix("| `\(function.name)(") } ?? ""
            #expect(row.contains(parts[0].components(separatedBy: " or ")[0]), "\(function.usage)")
        }
    }

    /// A value of each kind that any function which takes the kind can work with.
    private static let samples: [(kind: JSON.Kind, text: String)] = [
        (.null, "null"), (.bool, "true"), (.number, "2"), (.string, "'2026-11-23'"), (.array, "[]"),
        (.object, "{}"),
    ]

    @Test(
        "each function takes the kinds that its table lists, in each place",
        arguments: FlowFunction.all)
    func takes(function: FlowFunction) throws {
        let usage = function.usage.prefix { $0 != ")" }
        let names = usage.split(separator: "(").dropFirst().first?.split(separator: ",").count ?? 0
        #expect(names == function.takes.count)
        for count in function.counts {
            let expected = function.takes(count)
            for place in expected.indices {
                for sample in Self.samples {
                    var arguments = expected.map { expected in
                        Self.samples.first { expected.kinds?.contains($0.kind) ?? true }?.text ?? ""
                    }
                    arguments[place] = sample.text
                    let call = "\(function.name)(\(arguments.joined(separator: ", ")))"
                    let formula = try ExpressionParser.parse(FlowText(call, start: 0))
                    let isMistaken = !formula.root.mistakes { _ in nil }.isEmpty
                    #expect(isMistaken == !(expected[place].kinds?.contains(sample.kind) ?? true), "\(call)")
                    // Whatever is told before the run must fail in it.
                    if isMistaken { #expect(!failure(call).hasPrefix("no failure"), "\(call)") }
                }
            }
        }
    }

    @Test("no formula that can be computed has a mistake, whatever its values")
    func noFalseAlarms() throws {
        var generator = StableRandom(seed: Chance.seed)
        let leaves = ["null", "true", "1", "-2", "'a'", "'3'", "[]", "[1]", "['a']", "{}", "{ a: 1 }", "p"]
        let signs = ["+", "-", "*", "/", "%", "==", "<", ">=", "&&", "||", "??"]
        func formula(_ depth: Int) -> String {
            func part() -> String { formula(depth - 1) }
            guard depth > 0 else { return leaves.randomElement(using: &generator) ?? "" }
            switch Int.random(in: 0..<9, using: &generator) {
            case 0: return "!\(part())"
            case 1: return "-(\(part()))"
            case 2: return "(\(part())).a"
            case 3: return "(\(part()))[\(part())]"
            case 4: return "(\(part()) == 1 ? \(part()) : \(part()))"
            case 5, 6:
                let function = FlowFunction.all.randomElement(using: &generator) ?? .now
                let count = Int.random(in: function.counts, using: &generator)
                return "\(function.name)(\((0..<min(count, 4)).map { _ in part() }.joined(separator: ", ")))"
            default: return "(\(part()) \(signs.randomElement(using: &generator) ?? "") \(part()))"
            }
        }
        var computed = 0
        var mistaken = 0
        let rounds = Chance.rounds(1000)
        for _ in 0..<rounds {
            let text = formula(Int.random(in: 1...3, using: &generator))
            guard let formula = try? ExpressionParser.parse(FlowText(text, start: 0)) else { continue }
            let mistakes = formula.root.mistakes { _ in nil }
            if !mistakes.isEmpty { mistaken += 1 }
            // A part of which nobody asks for the value may be mistaken.
            if text.contains(/&&|\|\||\?|now/) { continue }
            for value in [JSON.null, 1, "a", [1], ["a": 1]] where !mistakes.isEmpty {
                let result = try? ExpressionEvaluator { _ in value }.value(of: formula)
                #expect(result == nil, "\(text): \(mistakes)")
            }
            computed += 1
        }
        #expect(computed > rounds / 4 && mistaken > rounds / 10)
    }

    @Test("CSV and TSV are read as objects, and a mistake in them is told with its line")
    func tables() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              a: { steps: [ { load: "a.csv" }, { parse: "csv" }, { each: "{ id: it.id, n: number(it.n) }" },
                { transform: "sort(it, 'n')" }, { save: "a.json" } ] },
              b: { steps: [ { value: "x\\ty\\n1\\t2\\n" }, { parse: "tsv" }, { save: "b.json" } ] },
              c: { steps: [ { value: "x,y\\n1\\n" }, { parse: "csv" } ] },
            } }
            """)
        try flow.write("\u{FEFF}id,n\r\n\"a, b\",10\r\nc,9\r\n", to: "a.csv")
        let result = try await flow("run", "flow.json5")
        #expect(result.status == 1 && result.complaints.count == 1)
        #expect(result.errors.contains("c failed: parse csv (flow.json5:5:42): "), "\(result.errors)")
        #expect(result.errors.contains("The record has 1 fields, not 2"))
        #expect(try flow.folder.text("a.json") == #"[{"id":"c","n":9},{"id":"a, b","n":10}]"# + "\n")
        #expect(try flow.folder.text("b.json") == #"[{"x":"1","y":"2"}]"# + "\n")
    }
}
