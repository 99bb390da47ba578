import SteplineSupport

extension String {
    /// The text with U+0000 replaced: PostgreSQL's text type can't store this character.
    var withoutZeros: String { rewriting { $0 == "\0" ? "\u{FFFD}" : nil } }
}
