import SteplineSupport
import Testing

/// Text by its scalars: a line feed after a return ends a line.
@Suite(.timeLimit(.minutes(5)))
struct ScalarsTests {
    @Test func `a line feed after a return is found`() {
        #expect("a\r\nb".holds("\n") && "a\r\nb".parts(between: "\n") == ["a\r", "b"])
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
