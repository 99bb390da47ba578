import SteplineSupport
import TestSupport

/// Makes texts of quotes, separators, line ends and characters of several bytes.
struct RandomText {
    private var source: StableRandom

    private static let pieces = [
        "a", "b", " ", "\"", "\"\"", ",", ";", "\t", "\n", "\r", "\r\n", "\\", "\\u00e9", "é", "e\u{301}",
        "東",
        "😀", "\u{FEFF}", "\0", "\u{1}", "\u{2028}", "\u{FFFD}", "sep=,", "=1+1", "'", "{", "]", "0", "true",
        "null",
    ]

    init(round: Int) { source = StableRandom(seed: Chance.seed &+ UInt64(round)) }

    /// Returns a number from 0 to below the bound.
    mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &source) }

    mutating func text() -> String {
        (0..<number(8)).map { _ in Self.pieces.randomElement(using: &source) ?? "" }.joined()
    }
}
