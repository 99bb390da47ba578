import Foundation

/// Formats amounts for users.
enum Amounts {
    /// Formats bytes: `999 B`, `1.2 kB`, `34 MB`.
    static func bytes(_ count: Double) -> String {
        guard count >= 1000 else { return "\(Int(max(count, 0))) B" }
        var value = count
        var unit = 0
        let units = ["kB", "MB", "GB", "TB", "PB"]
        value /= 1000
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return (value < 9.95 ? oneDigit(value) : String(Int(value.rounded()))) + " " + units[unit]
    }

    /// Formats a duration: `0.3 s`, `42 s`, `2:05`, `1:00:00`.
    static func time(_ seconds: TimeInterval) -> String {
        guard seconds.isFinite, seconds >= 0 else { return "0.0 s" }
        if seconds < 9.95 { return oneDigit(seconds) + " s" }
        let whole = Int(min(seconds, 1e9).rounded())
        if whole < 60 { return "\(whole) s" }
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0
            ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
    }

    private static func oneDigit(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
