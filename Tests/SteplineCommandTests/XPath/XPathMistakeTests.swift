import Testing

@Suite("Mistaken XPaths", .timeLimit(.minutes(5)))
struct XPathMistakeTests {
    @Test(
        "a malformed --select is reported with the expression, the reason and the column in characters",
        arguments: [
            ("//a[", "a step is missing, column 5"), ("//ünï[@x=", "a step is missing, column 10"),
            ("//a[1", "a predicate isn't closed, column 6"),
            ("//a]", "an operator is missing, or this is one bracket too many, column 4"),
            ("//a[text()='x]", "a text isn't closed, column 12"),
            ("/a/last::b", "there is no axis 'last', column 4"),
            ("foo(1)", "there is no function 'foo', column 1"),
            ("count(//a", "a bracket isn't closed, column 10"),
            ("//x:a", "the prefix 'x' isn't bound to a namespace, column 3"),
            ("concat('a')", "the function 'concat' doesn't take 1 arguments, column 1"),
        ])
    func line(expression: String, words: String) async throws {
        let result = try await Command.run(["fetch", "--xml", "--select", expression, "unused.invalid"])
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(
            result.errors
                == "stepline: --select: '\(expression)' is no XPath: \(words) (stepline fetch --help)\n")
    }
}
