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
        ("😀+", "😀😀", true), ("[^a]", "b", true), ("[a^$]+", "^$a", true), ("\\^a", "^a", true),
        ("[-a]", "-", true), ("[a-]", "-", true), ("()", "", true), ("a{0}", "", true),
        // Anchors, which RFC 9485 leaves out.
        ("^ab.*", "abc", true), ("^ab.*", "xab", false), (".*bc$", "abc", true), (".*bc$", "abcx", false),
        ("^$", "", true), ("^$", "a", false), ("$^", "", true), ("^a$", "^a$", false), ("a^b", "a^b", false),
        ("(^a|b)c", "ac", true), ("(^|x)a", "a", true), ("(^)*a($)*", "a", true), ("a$|b", "a", true),
        ("^*a", "a", true),
    ])
    func `patterns match as RFC 9485 says, with a caret as the text's start and a dollar as its end`(
        _ pattern: String, _ text: String, _ expected: Bool
    ) throws {
        #expect(try matches(pattern, text, isWhole: true) == expected)
    }

    @Test func `patterns of a document are reported apart by their scalars`() throws {
        let patterns: JSON = ["^\u{E9}$", "^e\u{301}$"]
        let json: JSON = ["p": patterns, "t": "\u{E9}"]
        let found = try json.query("$.p[?search($.t, @)]")
        #expect(found.map(\.string) == ["^\u{E9}$"])
    }

    @Test(arguments: [
        "(", "a)", "[", "[]", "*a", "a**", "\\d", "\\", "a{", "a{2,1}", "[b-a]", "\\p{X}", "(?:a)",
        "[a&&[b]]", "\\$", "a{,2}", "[a-\\p{L}]", "\\p{Lx}", "\\p{}",
    ])
    func `other patterns are none`(_ pattern: String) throws { #expect(try IRegexp(pattern) == nil) }

    @Test(arguments: [
        ("^b", "abc", false), ("^a", "abc", true), ("c$", "abc", true), ("b$", "abc", false),
        ("^abc$", "abc", true), ("^b|c$", "abc", true), ("x^", "x", false), ("(a|^)c", "xc", false),
        ("é$", "née", false), ("e$", "née", true),
        ("b.d", "abcde", true), ("", "abcde", true), ("b.e", "abcde", false), ("e", "abcde", true),
    ])
    func `a search finds a match anywhere, and knows the text's start and end`(
        _ pattern: String, _ text: String, _ expected: Bool
    ) throws {
        #expect(try matches(pattern, text, isWhole: false) == expected)
    }

    @Test func `hostile patterns end in time`() throws {
        let text = String(repeating: "a", count: 2000)
        #expect(try !matches("(a*)*b", text, isWhole: true))
        #expect(try matches("((a?){20}){20}a*", text, isWhole: true))
        #expect(try matches("((((){9999}){9999}){9999}|){99999999999999999999}a", "a", isWhole: true))
        #expect(try matches("a{0,6000}", String(repeating: "a", count: 6000), isWhole: true))
        #expect(try !matches("a{0,6000}", String(repeating: "a", count: 6001), isWhole: true))
    }

    @Test(arguments: [
        "((((a{99}){99}){99}){99}){99}", "a{99999999}", "a{99999999999999999999999}", "(a{999}){0,999}",
    ])
    func `a pattern too large to be run says so`(_ pattern: String) {
        let error = #expect(throws: JSONError.self) { try IRegexp(pattern) }
        #expect(error?.code == .tooLarge)
        let path = #expect(throws: JSONError.self) { try JSONPath("$[?match(@, '\(pattern)')]") }
        #expect(path?.code == .tooLarge && path?.byteOffset == 12)
        let query = #expect(throws: JSONError.self) {
            let document: JSON = ["p": JSON(pattern), "v": ["a"]]
            return try document.query("$.v[?match(@, $.p)]")
        }
        #expect(query?.code == .tooLarge)
    }

    @Test func `a pattern nested too deeply says so`() {
        let error = #expect(throws: JSONError.self) { try IRegexp(String(repeating: "(", count: 100_000)) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `large classes and many sets of places are no matter`() throws {
        let ranges = stride(from: 0x4E00, to: 0x9000, by: 2).compactMap(Unicode.Scalar.init)
        let pattern = "[" + ranges.map { "\($0)" }.joined() + "]*"
        #expect(try matches(pattern, ranges.map { "\($0)" }.joined(), isWhole: true))
        #expect(try !matches(pattern, "\u{4E01}", isWhole: true))
        // Each combination of the last twelve letters is a state of its own.
        let text = (0..<20_000).map { $0 &* 2_654_435_761 >> 7 & 1 == 0 ? "a" : "b" }.joined()
        #expect(try matches("[ab]*a[ab]{12}", text + "abbbbbbbbbbbb", isWhole: true))
        #expect(try !matches("[ab]*a[ab]{12}", text + "bbbbbbbbbbbbb", isWhole: true))
    }

    private func matches(_ pattern: String, _ text: String, isWhole: Bool) throws -> Bool {
        let matcher = IRegexpMatcher(try #require(try IRegexp(pattern)), isWhole: isWhole)
        var budget = Int.max
        var text = text
        return text.withUTF8 { matcher.matches($0, budget: &budget) }
    }
}
