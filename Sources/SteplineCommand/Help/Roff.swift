import SteplineSupport

/// Text as roff, the language of manual pages, takes it.
enum Roff {
    /// The text with what means something to roff written so that it stands for itself.
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

    /// Lines that are shown as they are, set in.
    static func example(_ lines: [String]) -> [String] {
        [".PP", ".nf", ".RS"] + lines.map(text) + [".RE", ".fi"]
    }
}
