/// Estimates the width of a text for a wide bold font, since the actual font is unknown.
enum TextWidth {
    /// Returns the width relative to the font size; only the first characters of a long text count.
    static func of(_ text: some StringProtocol) -> Double {
        text.unicodeScalars.prefix(8 * LayoutMetrics.longestName).reduce(0) { $0 + of($1) }
    }

    /// Returns the text, or as much of its beginning as fits.
    static func shortened(_ text: String, to width: Double) -> String {
        let short = LayoutMetrics.shortened(text)
        guard of(short) > width else { return short }
        var rest = short.prefix { $0 != "…" }
        while !rest.isEmpty, of(rest + "…") > width { rest.removeLast() }
        return rest + "…"
    }

    private static func of(_ scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case "i", "j", "l", "I", "'", "|", "·", " ", ".", ",", ":", ";", "/", "\\", "›": 0.4
        case "f", "t", "r", "(", ")", "[", "]", "!", "-": 0.5
        case "m", "M", "W", "@", "%", "…", "—": 1.1
        case "w", "G", "O", "Q", "U", "D", "H", "N", "&", "+", "<", ">", "=", "~", "#": 0.9
        case "A"..."Z", "?", "_", "–": 0.78
        case "\u{20}"..."\u{7E}": 0.71
        default:
            // Combining marks have no width. Characters beyond the alphabets are assumed to be square.
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: 0
            default: scalar.value < 0x1100 ? 0.85 : 1.2
            }
        }
    }
}
