import SteplineSupport
import Testing

/// Text by its scalars: `"` with an accent behind it is a quote, and a line feed behind a return ends a line.
@Suite(.timeLimit(.minutes(5)))
struct ScalarsTests {
    @Test func `a sign is found whatever joins it to what is around it`() {
        let quoted = "a\"\u{301}b", escaped = "a\\\"\u{301}b"
        #expect(quoted.rewriting { $0 == "\"" ? "\\\"" : nil } == escaped)
        #expect("\u{600}/".rewriting { $0 == "/" ? "-" : nil } == "\u{600}-")
        #expect("/\u{301}x".begins(with: "/") && !"x".begins(with: "xy") && "x".begins(with: ""))
        #expect("\u{600}/".ends(with: "/") && !"x".ends(with: "yx") && "x".ends(with: ""))
        #expect("a\r\nb".holds("\n") && "/\u{301}".holds("/") && "x".holds("") && !"".holds("x"))
        #expect("a\r\nb".parts(between: "\n") == ["a\r", "b"])
        #expect("a/\u{301}b/".rewriting("/", as: "--") == "a--\u{301}b--")
        let halves = "a=\u{301}b=".halves(at: "=")
        #expect(halves?.before == "a" && halves?.after == "\u{301}b=" && "a".halves(at: "=") == nil)
    }

    @Test func `texts that look alike but have other scalars aren't equal`() {
        #expect(!"e\u{301}/x".begins(with: "\u{E9}") && !"xe\u{301}".ends(with: "\u{E9}"))
        #expect(
            "ab".after("a") == "b" && "\u{301}".after("") == "\u{301}" && "e\u{301}".after("\u{E9}") == nil
        )
        #expect(
            Set([ExactText("e\u{301}"), ExactText("\u{E9}")]).count == 2 && ExactText("a") < ExactText("b"))
        #expect(!"e\u{301}".holds("\u{E9}") && "e\u{301}".parts(between: "\u{E9}") == ["e\u{301}"])
    }

    @Test func `parts are those between one separator and the next, from the left`() {
        #expect("".parts(between: ",") == [""] && ",".parts(between: ",") == ["", ""])
        #expect("aaa".parts(between: "aa") == ["", "a"] && "aabaab".parts(between: "aab") == ["", "", ""])
        #expect("x".parts(between: "") == ["x"] && Substring("a,b").parts(between: ",") == ["a", "b"])
    }

    @Test func `parts and what is held are those that a plain search finds`() {
        let texts = (0...9).flatMap(Self.texts)
        for part in (1...4).flatMap(Self.texts) {
            let wrong = texts.first { text in
                let plain = text.split(separator: part, omittingEmptySubsequences: false).map(String.init)
                return text.parts(between: part) != plain || text.holds(part) != (plain.count > 1)
            }
            #expect(wrong == nil, "\(part)")
        }
    }

    /// All texts of so many letters, each `x` or `y`: parts that overlap themselves among them.
    private static func texts(of length: Int) -> [String] {
        (0..<length).reduce([""]) { texts, _ in texts.flatMap { [$0 + "x", $0 + "y"] } }
    }

    /// A search by steps through the text would take 10^10 comparisons, which the time limit ends.
    @Test func `a long part is searched for within the time limit`() {
        let text = String(repeating: "a", count: 300_000)
        #expect(!text.holds(String(repeating: "a", count: 100_000) + "b"))
        #expect(text.parts(between: String(repeating: "a", count: 100_000)).count == 4)
    }
}
