/// Text as roff, the language of manual pages, takes it.
enum Roff {
    /// The text with what means something to roff written so that it stands for itself.
    static func text(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("'", with: "\\(aq").replacing("`", with: "\\(ga").replacing("…", with: "...")
            .replacing("~", with: "\\(ti").replacing("^", with: "\\(ha")
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    /// Lines that are shown as they are, set in.
    static func example(_ lines: [String]) -> [String] {
        [".PP", ".nf", ".RS"] + lines.map(text) + [".RE", ".fi"]
    }
}
