/// Texts with what a format may stumble over, the same for the same seed.
struct RandomText: RandomNumberGenerator {
    private var state: UInt64

    private static let pieces = [
        "a", "b", " ", "\"", "\"\"", ",", ";", "\t", "\n", "\r", "\r\n", "\\", "\\u00e9", "é", "e\u{301}",
        "東",
        "😀", "\u{FEFF}", "\0", "\u{1}", "\u{2028}", "\u{FFFD}", "sep=,", "=1+1", "'", "{", "]", "0", "true",
        "null",
    ]

    init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state &<< 13
        state ^= state &>> 7
        state ^= state &<< 17
        return state
    }

    /// From 0 to below the bound.
    mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func text() -> String {
        (0..<number(8)).map { _ in Self.pieces.randomElement(using: &self) ?? "" }.joined()
    }
}
