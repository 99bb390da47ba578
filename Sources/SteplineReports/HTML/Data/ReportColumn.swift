/// Numbers of one kind, as a report's page holds them: as text of few digits that need no escaping.
///
/// A number is written in digits of five bits, the lowest first, of which all but the last have 32 added; the lowest
/// bit of all is its sign. A column that begins with `~` says after each number how often it stands there, if that
/// is shorter.
struct ReportColumn {
    private var plain = ""
    private var runs = "~"
    private var last: (number: Int64, count: Int64)?

    /// Adds a number.
    mutating func append(_ number: Int64) {
        Self.write(number, to: &plain)
        if let last, last.number == number {
            self.last = (number, last.count + 1)
        } else {
            endRun()
            last = (number, 1)
        }
    }

    /// Adds a number.
    mutating func append(_ number: Int) { append(Int64(number)) }

    /// The text, which has no character but letters, digits, `-`, `_` and `~`.
    var text: String {
        var whole = self
        whole.endRun()
        return whole.runs.utf8.count < plain.utf8.count ? whole.runs : plain
    }

    private mutating func endRun() {
        guard let last else { return }
        Self.write(last.number, to: &runs)
        Self.write(last.count, to: &runs)
        self.last = nil
    }

    /// The digits from 0 to 63.
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".unicodeScalars)

    private static func write(_ number: Int64, to text: inout String) {
        var rest = number.magnitude
        var digit = Int(rest & 15) << 1 | (number < 0 ? 1 : 0)
        rest >>= 4
        while rest > 0 {
            text.unicodeScalars.append(digits[digit | 32])
            digit = Int(rest & 31)
            rest >>= 5
        }
        text.unicodeScalars.append(digits[digit])
    }
}
