import Foundation

/// The first difference between expected and actual content.
struct FirstDifference {
    /// The place, such as `line 3`.
    let place: String
    /// The lines: `-` before the expected one, `+` before the actual one.
    let lines: [String]

    /// The longest part of a line that is shown.
    private static let width = 72

    /// Creates the difference; nil for equal content.
    init?(expected: Data, made: Data) {
        guard expected != made else { return nil }
        guard let expectedText = String(validating: expected, as: UTF8.self),
            let found = String(validating: made, as: UTF8.self)
        else {
            let offset = zip(expected, made).prefix { $0 == $1 }.count
            place = "byte \(offset)"
            lines = ["- \(expected.count) bytes", "+ \(made.count) bytes"]
            return
        }
        let left = Self.lines(of: expectedText)
        let right = Self.lines(of: found)
        var same = 0
        while same < min(left.count, right.count), left[same].elementsEqual(right[same]) { same += 1 }
        place = "line \(same + 1)"
        let expectedLine = same < left.count ? left[same] : nil
        let foundLine = same < right.count ? right[same] : nil
        let common = zip(expectedLine ?? Line(), foundLine ?? Line()).prefix { $0 == $1 }.count
        var lines: [String] = []
        if same > 0 { lines.append("  " + Self.shown(left[same - 1], around: 0)) }
        lines.append("- " + (expectedLine.map { Self.shown($0, around: common) } ?? "(the end)"))
        lines.append("+ " + (foundLine.map { Self.shown($0, around: common) } ?? "(the end)"))
        self.lines = lines
    }

    private typealias Line = String.UnicodeScalarView.SubSequence

    /// Splits a text into lines; a carriage return stays part of its line.
    private static func lines(of text: String) -> [Line] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Returns a part of a line with control characters escaped.
    private static func shown(_ line: Line, around position: Int) -> String {
        let start = line.count <= width ? 0 : max(0, position - width / 3)
        let part = line.dropFirst(start).prefix(width)
        let text = part.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
        return (start > 0 ? "…" : "") + text + (start + width < line.count ? "…" : "")
    }
}
