import Testing

@testable import SteplineJSON

@Suite(.timeLimit(.minutes(5))) struct IRegexpTests {
    @Test(arguments: [
        ("a*b", "aaab", true), ("a*b", "aaa", false), ("a|bc|d", "bc", true), ("(ab)+c?", "ababc", true),
        ("[a-c]{2,3}", "abca", false),
        ("[a-c]{2,3}", "abc", true), ("[^0-9]", "x", true), ("[^0-9]", "5", false), (".", "\n", false),
        (".", "\u{2028}", true),
        ("\\p{Lu}\\p{L}*", "École", true), ("\\P{Nd}", "7", false), ("[\\p{Nd}x-]", "-", true),
        ("a\\.b", "a.b", true), ("a\\.b", "axb", false),
        ("", "", true), ("a{3}", "aaa", true), ("a{2,}", "a", false), ("(a|)b", "b", true),
        ("😀+", "😀😀", true), ("^a$", "^a$", true),
        ("[-a]", "-", true), ("[a-]", "-", true), ("()", "", true), ("a{0}", "", true),
    ])
    func `patterns match as RFC 9485 says`(_ pattern: String, _ text: String, _ expected: Bool) throws {
        #expect(try #require(IRegexp(pattern)).matches(text, isWhole: true) == expected)
    }

    @Test func `a search finds a match anywhere`() throws {
        #expect(try #require(IRegexp("b.d")).matches("abcde", isWhole: false))
        #expect(try #require(IRegexp("")).matches("abcde", isWhole: false))
        #expect(try !#require(IRegexp("b.e")).matches("abcde", isWhole: false))
        #expect(try #require(IRegexp("e")).matches("abcde", isWhole: false))
    }

    @Test(arguments: [
        "(", "a)", "[", "[]", "*a", "a**", "\\d", "\\", "a{", "a{2,1}", "[b-a]", "\\p{X}", "(?:a)",
        "a{99999999}", "[a&&[b]]",
    ])
    func `other patterns are none`(_ pattern: String) { #expect(IRegexp(pattern) == nil) }

    @Test func `patterns made to take for ever don't`() throws {
        let text = String(repeating: "a", count: 2000)
        #expect(try !#require(IRegexp("(a*)*b")).matches(text, isWhole: true))
        #expect(try #require(IRegexp("((a?){20}){20}a*")).matches(text, isWhole: true))
        #expect(IRegexp("((((a{99}){99}){99}){99}){99}") == nil)
        #expect(IRegexp(String(repeating: "(", count: 100_000)) == nil)
    }
}
