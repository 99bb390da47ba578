extension String {
    /// The server keeps no text with this character in it; a message without it says as much.
    var withoutZeros: String { replacing("\0", with: "\u{FFFD}") }
}
