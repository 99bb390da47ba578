/// The source line of an error with a caret below its place, fitted to a terminal's width.
struct FlowExcerpt {
    /// The largest part of the width before the place.
    private static let mostBefore = 2.0 / 3

    /// Two lines, each narrower than the terminal.
    let lines: [String]

    init(of issue: FlowIssue, in source: FlowSource, columns: Int, isUnicode: Bool) {
        let (line, before) = source.line(at: issue.offset)
        let number = "\(source.place(at: issue.offset).line)"
        let margin = number + " | "
        let room = max(columns - 1 - margin.count, 8)
        var shown = Self.plain(line)
        var column = Columns.width(Self.plain(before))
        let most = Int(Double(room) * Self.mostBefore)
        if column > most {
            // Drop text far before the place.
            var dropped = 0
            let ellipsis = isUnicode ? "…" : "..."
            while column - dropped > most - ellipsis.count, let first = shown.first {
                dropped += Columns.width(String(first))
                shown.removeFirst()
            }
            shown = ellipsis + shown
            column += ellipsis.count - dropped
        }
        while Columns.width(shown) > room { shown.removeLast() }
        let blank = String(repeating: " ", count: number.count)
        lines = [margin + shown, blank + " | " + String(repeating: " ", count: column) + "^"]
    }

    /// Replaces each control character by a blank, so that columns stay and the cursor can't be moved.
    private static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}
