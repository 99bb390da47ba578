/// Models a terminal of some size: interprets text, line breaks and the codes of the status line.
struct ScreenModel {
    let columns: Int
    let rows: Int
    /// The lines that have left the screen at its top.
    private(set) var past: [String] = []
    private var lines: [[Character]] = [[]]
    private var row = 0
    private var column = 0
    /// Whether the line that is written has reached the edge, and gone on in the next one.
    private var hasWrapped = false
    /// How often a status line was cleared that took more than one line of the screen.
    private(set) var wrappedFrames = 0
    /// Sequences that nobody expects.
    private(set) var strange: [String] = []
    private(set) var hasColors = false

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// All that can be read, from the first line on, without blank lines.
    var text: [String] {
        (past + lines.map { String($0) }).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }

    mutating func show(_ text: String) {
        var rest = Array(text.unicodeScalars)[...]
        while let next = rest.popFirst() {
            switch next {
            case "\r": column = 0
            case "\n":
                hasWrapped = false
                breakLine()
            case "\u{1B}": control(&rest)
            default: put(Character(next))
            }
        }
    }

    private mutating func breakLine() {
        row += 1
        if row == lines.count { lines.append([]) }
        guard lines.count > rows else { return }
        past.append(String(lines.removeFirst()))
        row -= 1
    }

    private mutating func put(_ character: Character) {
        if column == columns {
            column = 0
            breakLine()
            hasWrapped = true
        }
        while lines[row].count <= column { lines[row].append(" ") }
        lines[row][column] = character
        column += 1
    }

    private mutating func control(_ rest: inout ArraySlice<Unicode.Scalar>) {
        guard rest.popFirst() == "[" else { return strange.append("escape") }
        var number = ""
        while let next = rest.popFirst() {
            guard !"0123456789;".unicodeScalars.contains(next) else {
                number.unicodeScalars.append(next)
                continue
            }
            switch next {
            case "K":
                if hasWrapped { wrappedFrames += 1 }
                lines[row] = Array(lines[row].prefix(column))
            case "m": hasColors = true
            default: strange.append(number + String(next))
            }
            return
        }
    }
}
