import SteplineSupport

extension String {
    /// The server keeps no text with this character in it; a message without it says as much.
    var withoutZeros: String { rewriting { $0 == "\0" ? "\u{FFFD}" : nil } }
}
