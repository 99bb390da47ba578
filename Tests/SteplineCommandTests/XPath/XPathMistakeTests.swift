import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Mistaken XPaths", .timeLimit(.minutes(5)))
struct XPathMistakeTests {
    @Test(
        "the command's line has the expression, what is expected, and the column, in words",
        arguments: [
            ("//a[", "a condition or a number is expected after '[', not the end, column 5"),
            ("//ünï[@x=", "a path or a value is expected after '=', not the end, column 10"),
            ("//a[1", "the '[' of column 4 isn't closed, column 6"),
            ("//a]", "there is no '[' before ']', column 4"),
            ("//a[(1]", "')' is expected before ']', column 7"),
            ("//a[text()='x]", "the text that begins here isn't closed, column 12"),
            ("..//", "a name, * or @ is expected after '//', not the end, column 5"),
            ("//a/(b)", "a name, * or @ is expected after '/', not '(', column 5"),
            ("@@a", "a name or * is expected after '@', not '@', column 2"),
            ("a b", "an operator, / or [ is expected after 'a', not 'b', column 3"),
            ("/a/last::b", "there is no axis 'last', column 4"),
            (".[1]", "a condition can't follow '.', but self::node(), column 2"),
            ("foo(1)", "there is no function 'foo', column 1"),
            ("count(//a", "the '(' of column 6 isn't closed, column 10"),
            ("//x:a", "the prefix 'x' isn't bound to a namespace, column 3"),
            ("concat('a')", "the function 'concat' doesn't take 1 arguments, column 1"),
            (" ", "a path or a value is expected, not the end, column 2"),
        ])
    func line(expression: String, words: String) async throws {
        let result = try await Command.run(["fetch", "--xml", "--select", expression, "unused.invalid"])
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(
            result.errors
                == "stepline: --select: '\(expression)' is no XPath: \(words) (stepline fetch --help)\n")
    }

    @Test(
        "what only shows when it is evaluated is told with the URL, in words, too",
        arguments: [
            ("count('a')", "an argument or operand is of the wrong kind")
        ])
    func evaluated(expression: String, words: String) async throws {
        let server = try LoopbackServer()
        server.route("/x", .text("<r/>", type: "application/xml"))
        let address = server.url("/x").absoluteString
        let result = try await Command.run(["fetch", "--select", expression, address])
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.errors == "stepline: \(address): --select: \(words)\n")
    }

    @Test("check tells the same, at its place in the workflow file")
    func workflowFile() async throws {
        let run = try FlowCommandRun(
            """
            { tasks: { a: { steps: [ { load: "x.xml" }, { parse: "xml" },
              { select: "//a[@b='c'" },
            ] } } }
            """)
        try run.write("<a/>", to: "x.xml")
        let result = try await run("check", "flow.json5")
        #expect(result.status == 3 && result.errors.isEmpty)
        #expect(
            result.output == "flow.json5:2:24: error: malformed XPath: the '[' of column 4 isn't closed\n")
    }

    @Test(
        "nothing is found where nothing is wrong",
        arguments: [
            "/", "/*", "//a", ".", "..", "../..", "a/b//c/@d", "@*", "a[1]", "a[@b='c']['d']",
            "(//a)[last()]",
            "count(//a) + 1", "- -1", "1.5 * .5 div 2.", "a | b | /c", "string(a/b)", "true()",
            "concat('a', \"b\", name(.))", "child::a/descendant-or-self::node()/text()", "xml:a/@xml:lang",
            "self::xml:*", "processing-instruction('x')",
            "id('x')/a[. = 'y' and not(@z) or position() mod 2 = 1]",
            "and and and", "div div div", "* * *", "a-b.c_d -1", "a[b[c[d]]]", "/ = 1", "//größe[@ö]",
            "a\n[\t1 ]",
            "a!=b", "a<=b", "a >= b", "ancestor::*[1]/following-sibling::b",
        ])
    func right(expression: String) {
        #expect(XPathMistake.find(in: expression)?.reason == nil)
        #expect(XPathGrammar.finding(in: expression)?.text == nil)
    }

    @Test("of expressions made at random, whatever libxml2 refuses has words and a place within")
    func random() {
        let parts = [
            "a", "b:c", "*", "/", "//", "[", "]", "(", ")", "@", "::", ".", "..", "|", "=", "!", "<", "-",
            "+", ",",
            "'x'", "'", "1", "1.5", "and", "count", "text()", "child::", "$", "ü", "😀", " ", "#", "\u{301}",
        ]
        var generator = StableRandom(seed: Chance.seed)
        var wordless: [String] = []
        let rounds = Chance.rounds(5_000)
        for _ in 0..<rounds {
            let count = Int.random(in: 1...7, using: &generator)
            let expression = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "a" }.joined()
            guard let mistake = XPathMistake.find(in: expression, namespaces: ["b": "urn:b"]) else {
                continue
            }
            #expect((1...expression.unicodeScalars.count + 1).contains(mistake.column))
            #expect((0...expression.utf8.count).contains(mistake.offset))
            if mistake.reason == "the expression is malformed" { wordless.append(expression) }
        }
        // It refuses some that are right, such as "/ü*1".
        #expect(wordless.count <= rounds / 1000, "\(wordless.prefix(30))")
    }
}
