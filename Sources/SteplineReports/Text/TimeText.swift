import Foundation

/// Formats times and numbers for people, independent of the locale.
enum TimeText {
    /// Formats a duration in nanoseconds with three digits: `1.25 s`.
    static func of(_ nanoseconds: Int64) -> String {
        guard nanoseconds > 0 else { return "0 s" }
        let value = Double(nanoseconds)
        switch value {
        case ..<1000: return "\(nanoseconds) ns"
        case ..<999_500: return digits(value / 1e3) + " µs"
        case ..<999_500_000: return digits(value / 1e6) + " ms"
        case ..<99_950_000_000: return digits(value / 1e9) + " s"
        default:
            let seconds = Int64((value / 1e9).rounded())
            if seconds < 3600 { return "\(seconds / 60) min \(padded(seconds % 60)) s" }
            return "\(seconds / 3600) h \(padded(seconds / 60 % 60)) min"
        }
    }

    /// Formats a number with three significant digits.
    private static func digits(_ value: Double) -> String {
        if value < 9.995 { return fixed(value, 2) }
        return value < 99.95 ? fixed(value, 1) : "\(Int(value.rounded()))"
    }

    private static func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

    /// Formats a number with that many decimals.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((value * Double(scale)).rounded())
        let rest = String(abs(scaled) % scale)
        let padding = String(repeating: "0", count: max(0, decimals - rest.count))
        let sign = scaled < 0 ? "-" : ""
        return decimals == 0 ? "\(scaled)" : "\(sign)\(abs(scaled) / scale).\(padding)\(rest)"
    }

    /// Formats a coordinate with at most one decimal.
    static func coordinate(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        if tenths % 10 == 0 { return "\(tenths / 10)" }
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    /// Formats a part of the whole in per cent.
    static func share(_ part: Int64, of whole: Int64) -> String {
        guard whole > 0 else { return "–" }
        let percents = Double(part) / Double(whole) * 100
        return percents > 0 && percents < 1 ? "< 1 %" : "\(Int(percents.rounded())) %"
    }

    /// Formats a date in UTC, to the second.
    static func date(_ date: Date) -> String {
        let text = date.formatted(.iso8601)
        return text.replacingOccurrences(of: "T", with: " ").replacingOccurrences(of: "Z", with: " UTC")
    }

    /// Formats a number with a noun: `1 task`, `2 tasks`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
