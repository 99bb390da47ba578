import SteplineJSON
import Testing

@testable import SteplineCommand

@Suite("Workflow files: expressions", .timeLimit(.minutes(5)))
struct ExpressionTests {
    private let evaluator = ExpressionEvaluator { name in
        switch name {
        case .parameter("city"): "Paris"
        case .parameter("days"): 3
        case .task("geo"):
            try JSON(parsing: #"{"lat": 48.85, "name": "Paris", "tags": ["a", "b"], "none": null, "n-1": 7}"#)
        case .it: try JSON(parsing: #"[{"t": 1.5}, {"t": -2}]"#)
        case .item: "element"
        case .index: 2
        default: .null
        }
    }

    private func value(_ text: String) throws -> String {
        try evaluator.value(of: ExpressionParser.parse(FlowText(text, start: 0))).description
    }

    private func failure(_ text: String) -> String {
        do {
            return "no failure but \(try value(text))"
        } catch let error as ExpressionError {
            return "\(error.offset): \(error.message)" + (error.hint.map { " (\($0))" } ?? "")
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "an expression has the expected value, and each function returns what its usage says",
        arguments: [
            ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("7 / 2", "3.5"), ("8 / 2", "4"), ("7 % 4", "3"),
            ("-7 % 4", "-3"), ("1 - 2 - 3", "-4"), ("2 * -3", "-6"), ("0.1 + 0.2 < 0.4", "true"),
            ("9007199254740993 + 0", "9007199254740993"), ("1e2", "1e2"), ("'a' + 1 + true", "\"a1true\""),
            ("city", "\"Paris\""), ("tasks.geo.lat", "48.85"), ("tasks['geo'].tags[1]", "\"b\""),
            ("tasks.geo.tags[-1]", "\"b\""), ("tasks.geo['n-1']", "7"), ("tasks.geo.nothing.below", "null"),
            ("tasks.geo.none ?? 'x'", "\"x\""), ("tasks.geo.tags[9] ?? 0", "0"),
            ("it[0].t > it[1].t", "true"),
            ("item + index", "\"element2\""), ("days > 2 ? 'many' : 'few'", "\"many\""),
            ("false ? 1 : true ? 2 : 3", "2"), ("!true || 1 == 1.0 && 'a' != 'b'", "true"),
            ("true || tasks.geo.lat.x", "true"), ("false && 1 / 0 > 1", "false"), ("'b' >= 'a'", "true"),
            ("[1, 'a', null]", "[1,\"a\",null]"), ("{a: 1, 'b c': [city]}", "{\"a\":1,\"b c\":[\"Paris\"]}"),
            ("null == null", "true"), ("[1, 2] == [1, 2]", "true"), ("'it\\'s'", "\"it's\""),
            // The smallest and the largest integer don't overflow.
            ("-9223372036854775807 - 1", "-9223372036854775808"),
            ("(-9223372036854775807 - 1) / -1", "9.223372036854776e+18"),
            ("(-9223372036854775807 - 1) % -1", "0"),
            ("-(-9223372036854775807 - 1)", "9.223372036854776e+18"),
            ("abs(-9223372036854775807 - 1)", "9.223372036854776e+18"),
            ("9223372036854775807 + 1", "9.223372036854776e+18"),
            // Functions.
            ("round(2.5)", "3"), ("round(-2.5)", "-3"), ("round(3.14159, 2)", "3.14"), ("floor(-1.5)", "-2"),
            ("ceil(1.2)", "2"), ("abs(-3)", "3"), ("min(3, 1, 2)", "1"), ("max([3, 1.5, 4])", "4"),
            ("max([])", "null"), ("sum([1, 2.5])", "3.5"), ("number(' 42 ')", "42"),
            ("format(2, 2)", "\"2.00\""),
            ("upper('straße')", "\"STRASSE\""), ("lower('ÄB')", "\"äb\""), ("trim('  a ')", "\"a\""),
            ("text([1, 'a'])", "\"[1,\\\"a\\\"]\""), ("split('a,b,,c', ',')", "[\"a\",\"b\",\"\",\"c\"]"),
            ("join(['a', 1, true], '-')", "\"a-1-true\""), ("replace('aXbX', 'X', '')", "\"ab\""),
            ("startsWith('abc', 'ab')", "true"), ("endsWith('abc', 'bc')", "true"), ("length('añ')", "2"),
            ("length([1, 2])", "2"), ("contains('abc', 'b')", "true"), ("contains([1, 2.0], 2)", "true"),
            ("contains(tasks.geo, 'lat')", "true"), ("first([])", "null"), ("last([1, 2])", "2"),
            ("slice([1, 2, 3, 4], 1, 3)", "[2,3]"), ("slice('abcd', 2)", "\"cd\""),
            ("slice([1], 5, 2)", "[]"), ("keys({b: 1, a: 2})", "[\"b\",\"a\"]"), ("round(1e300, 3)", "1e300"),
        ])
    func values(text: String, expected: String) throws {
        #expect(try value(text) == expected)
    }

    @Test(
        "a mistake is reported at its place, by the parser or at evaluation",
        arguments: [
            ("1 +", "3: expected a value, not the end"), ("(1", "2: expected \")\", not the end"),
            ("a = b", "2: unexpected '=' (to compare, write ==)"), ("a & b", "2: unexpected '&' (write &&)"),
            ("'abc", "0: the string is never closed"), ("1.2.3", "0: malformed number 1.2.3"),
            ("uper('a')", "0: unknown function uper() (did you mean \"upper\"?)"),
            ("upper()", "0: upper() takes 1 argument, not 0 (upper(text): in uppercase)"),
            ("tasks", "5: expected a task's name, as in tasks.name"),
            ("tasks[city]", "6: expected a task's name, as in tasks.name or tasks['name']"),
            ("city.name", "4: a text has no member \"name\""),
            ("it.name", "2: a list has no member \"name\""),
            ("city[0]", "4: a text has no elements by a number"), ("1 / 0", "2: division by zero"),
            ("1 % 0", "2: division by zero"), ("1e308 * 10", "6: the result is too large"),
            ("city - 1", "5: a text - a number can't be computed"),
            ("'a' + null", "4: a text and null can't be joined"),
            ("'a' < 1", "4: a text and a number can't be compared by <"),
            ("1 ? 2 : 3", "0: expected true or false, not a number"),
            ("!1", "1: expected true or false, not a number"), ("-'a'", "0: expected a number, not a text"),
            ("upper(1)", "0: upper(): expected a text, not a number"),
            ("split('a', '')", "0: split(): the separator is empty"),
            ("number('x')", "0: number(): \"x\" spells no number"), ("it[0.5]", "2: 0.5 is no whole number"),
            ("{1: 2}", "1: expected a key, not 1"), ("1 2", "2: unexpected 2"),
        ])
    func failures(text: String, expected: String) {
        #expect(failure(text) == expected)
    }

    @Test("no depth and no length overflows the stack: they are mistakes")
    func depth() {
        for text in [
            String(repeating: "(", count: 100_000), String(repeating: "-", count: 100_000) + "1",
            String(repeating: "!", count: 100_000), String(repeating: "[", count: 100_000),
            "1" + String(repeating: "+1", count: 100_000), "it" + String(repeating: ".a", count: 100_000),
            String(repeating: "upper(", count: 100_000), String(repeating: "a?", count: 100_000),
            String(repeating: "a??", count: 100_000) + "a",
        ] {
            #expect(throws: ExpressionError.self) { try ExpressionParser.parse(FlowText(text, start: 0)) }
        }
    }

    @Test("a template inserts expressions, keeps the type of a single one, and reads $${ as a literal")
    func templates() throws {
        func filled(_ text: String) throws -> JSON {
            try FlowTemplate(FlowText(text, start: 0)).value(by: evaluator)
        }
        let texts: [(String, JSON)] = [
            ("in ${city}, ${days + 1} days", "in Paris, 4 days"), ("${days}", 3),
            ("${tasks.geo.tags}", ["a", "b"]), ("cost: $5 $${city} $ {city}", "cost: $5 ${city} $ {city}"),
            ("${ {a: '}'}.a }", "}"), ("", ""),
        ]
        for (text, expected) in texts { #expect(try filled(text) == expected, "\(text)") }
        let error = #expect(throws: ExpressionError.self) { try filled("in ${tasks.geo.none}") }
        #expect(error?.offset == 14 && error?.message == "null can't be put into a text")
        for text in ["${it} ", "${city", "${}"] {
            #expect(throws: ExpressionError.self, "\(text)") { try filled(text) }
        }
    }

    /// A text of a megabyte, and formulas that would make gigabytes of it.
    @Test(
        "a formula that makes more than its budget fails",
        arguments: [
            "[[it,it,it,it,it,it,it,it],[it,it,it,it,it,it,it,it],[it,it,it,it,it,it,it,it],[it,it,it,it,it,it,it,it],"
                + "[it,it,it,it,it,it,it,it],[it,it,it,it,it,it,it,it],[it,it,it,it,it,it,it,it],[it,it,it,it,it,it,it,it]]",
            "replace(it, 'x', it)", "join(split(it, 'x'), it)",
            "replace(replace(it, 'x', 'xxxxxxxxx'), 'x', 'xxxxxxxxx')",
            "{a: replace(it, 'x', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'), b: replace(it, 'x', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')}",
        ])
    func budget(text: String) {
        // A sixteenth of what a step has, which is as much too little for a text that is as much shorter.
        let large = JSON(String(repeating: "x", count: 1 << 16))
        let budget = ExpressionBudget(ExpressionBudget.standard / 16)
        let evaluator = ExpressionEvaluator(budget: budget) { $0 == .it ? large : .null }
        let error = #expect(throws: ExpressionError.self) {
            _ = try evaluator.value(of: ExpressionParser.parse(FlowText(text, start: 0)))
        }
        #expect(error?.message.contains("too l") == true)
    }

    @Test("a value that is passed on uses no budget")
    func passingOn() throws {
        let large = JSON(String(repeating: "x", count: 1 << 20))
        let evaluator = ExpressionEvaluator { $0 == .it ? large : .null }
        let formula = try ExpressionParser.parse(FlowText("true ? it : null", start: 0))
        for _ in 0..<200 { #expect(try evaluator.value(of: formula).string?.utf8.count == 1 << 20) }
    }
}
