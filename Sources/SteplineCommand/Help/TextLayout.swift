/// Wraps text for a terminal of 80 columns.
enum TextLayout {
    static let width = 80

    /// Wraps words into lines of at most `width` columns with an indent.
    static func wrapped(_ text: String, indent: Int = 0) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { String(repeating: " ", count: indent) + $0 }
    }

    /// Returns a term and its definition in two columns, or the definition below a long term.
    static func definition(_ term: String, _ text: String, column: Int) -> [String] {
        var lines = wrapped(text, indent: column)
        let start = "  " + term
        guard let first = lines.first, start.count + 2 <= column else { return [start] + lines }
        lines[0] = start + first.dropFirst(start.count)
        return lines
    }
}
