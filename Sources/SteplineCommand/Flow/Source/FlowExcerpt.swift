/// The line of a workflow file that a mistake is in, with a caret below its place, for a terminal of some width.
struct FlowExcerpt {
    /// How much of a long line is shown before the place at most.
    private static let mostBefore = 2.0 / 3

    /// Two lines, none as wide as the terminal.
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
            // What is far before the place is left out.
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

    /// Each control character as one blank, so that columns stay what they are and no cursor is moved.
    private static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}
