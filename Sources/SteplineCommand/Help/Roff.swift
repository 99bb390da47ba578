import SteplineSupport

/// Formats text for roff, the language of manual pages.
enum Roff {
    /// Returns the text with special characters escaped.
    static func text(_ text: String) -> String {
        let escaped = text.rewriting { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "~": "\\(ti"
            case "^": "\\(ha"
            case "…": "..."
            default: nil
            }
        }
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    /// Returns the lines as an indented, unfilled block.
    static func example(_ lines: [String]) -> [String] {
        [".PP", ".nf", ".RS"] + lines.map(text) + [".RE", ".fi"]
    }
}
