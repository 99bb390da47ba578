import Foundation
import SteplineSupport

/// Times, tables and JSON as the verbs over a store write them.
package enum RunsText {
    /// A date in universal time, to the second: `2026-11-22 10:00:00`.
    static func date(_ date: Date?) -> String {
        guard let date else { return "" }
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space)
        return date.formatted(style.year().month().day().time(includingFractionalSeconds: false))
    }

    /// How long something took: `12 ms`, `1.5 s`, `3 min 05 s`.
    static func length(_ seconds: Double) -> String {
        guard seconds >= 0 else { return "" }
        if seconds < 0.9995 { return "\(Int((seconds * 1000).rounded())) ms" }
        if seconds < 60 { return "\((seconds * 10).rounded() / 10) s" }
        let whole = Int(min(seconds, 1e15))
        if whole < 3600 { return "\(whole / 60) min \(padded(whole % 60)) s" }
        return "\(whole / 3600) h \(padded(whole / 60 % 60)) min"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// How many of something: `1 step`, `2 steps`.
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Rows below their headings, in columns; the last one is as long as it is.
    static func table(_ headings: [String], _ rows: [[String]]) -> [String] {
        let rows = ([headings] + rows).map { $0.map(oneLine) }
        let widths = headings.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The text with control characters as blanks, so that it is one line and moves no cursor.
    package static func oneLine(_ text: String) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        let parts = text.unicodeScalars.split(whereSeparator: isControl)
        return parts.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    }

    /// A word as a shell takes it.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=+,@%".contains($0))
        }
        return isPlain && !word.isEmpty ? word : "'" + word.rewriting { $0 == "'" ? "'\\''" : nil } + "'"
    }

    /// A value as one line of JSON.
    package static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
