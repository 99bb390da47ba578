/// How much room a text takes, as nobody knows which font it will be shown in: that of a wide bold one.
enum TextWidth {
    /// The width in parts of the font's size; of a text that is too long to be drawn, no more than its begin has.
    static func of(_ text: some StringProtocol) -> Double {
        text.unicodeScalars.prefix(8 * LayoutMetrics.longestName).reduce(0) { $0 + of($1) }
    }

    /// The text, or as much of its begin as fits.
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
            // Marks above others take no room; what is past the alphabets fills a square.
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: 0
            default: scalar.value < 0x1100 ? 0.85 : 1.2
            }
        }
    }
}
