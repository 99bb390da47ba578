import Foundation
import SteplineSupport

/// Formats dates, durations, tables and JSON for the verbs.
package enum RunsText {
    /// Formats a date in UTC to the second: `2026-11-22 10:00:00`.
    static func date(_ date: Date?) -> String {
        guard let date else { return "" }
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space)
        return date.formatted(style.year().month().day().time(includingFractionalSeconds: false))
    }

    /// Formats a duration: `12 ms`, `1.5 s`, `3 min 05 s`.
    static func length(_ seconds: Double) -> String {
        guard seconds >= 0 else { return "" }
        // From 0.9995 on, rounding would print 1000 ms.
        if seconds < 0.9995 { return "\(Int((seconds * 1000).rounded())) ms" }
        if seconds < 60 { return "\((seconds * 10).rounded() / 10) s" }
        let whole = Int(min(seconds, 1e15))
        if whole < 3600 { return "\(whole / 60) min \(padded(whole % 60)) s" }
        return "\(whole / 3600) h \(padded(whole / 60 % 60)) min"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Formats a count: `1 step`, `2 steps`.
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Formats a table with headings; trailing blanks are removed.
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

    /// Replaces control characters by blanks, so that the text stays on one line and can't control the terminal.
    package static func oneLine(_ text: String) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        let parts = text.unicodeScalars.split(whereSeparator: isControl)
        // Consecutive control characters become one blank.
        return parts.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    }

    /// Quotes a word for a shell if necessary.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=+,@%".contains($0))
        }
        return isPlain && !word.isEmpty ? word : "'" + word.rewriting { $0 == "'" ? "'\\''" : nil } + "'"
    }

    /// Encodes a value as one line of JSON.
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
