package import Foundation

/// Dates in the ISO 8601 format and the Gregorian calendar: `2026-11-23`, `2026-11-23T15:04:05.5+01:00`.
///
/// Foundation's parser ignores trailing text, accepts 30 February as a day in March, and uses the Julian calendar
/// before 1583.
package enum ISODate {
    /// Parses a date; returns nil for other text, or a day or time that doesn't exist.
    ///
    /// The seconds of a time are optional. Without a time the date is midnight; without a zone it is UTC.
    package static func date(of text: String) -> Date? {
        var scanner = Scanner(rest: Substring(text).utf8)
        guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2),
            scanner.take("-"), let dayOfMonth = scanner.number(2),
            let day = CalendarDay.number(year, month, dayOfMonth)
        else { return nil }
        var seconds = Double(day) * 86_400
        if !scanner.isAtEnd {
            guard scanner.take("T"), let time = scanner.time(), let offset = scanner.offset() else {
                return nil
            }
            seconds += time - Double(offset)
        }
        return scanner.isAtEnd ? Date(timeIntervalSince1970: seconds) : nil
    }

    /// Returns the date in UTC with whole seconds, such as `2026-11-23T15:04:05Z`.
    ///
    /// The four-digit year covers the years 0 to 9999.
    package static func text(of date: Date) -> String {
        let (day, time) = CalendarDay.split(date)
        let (year, month, dayOfMonth) = CalendarDay.parts(of: day)
        return String(
            format: "%04d-%02d-%02dT%02d:%02d:%02dZ", year, month, dayOfMonth, time / 3_600, time / 60 % 60,
            time % 60)
    }

    private struct Scanner {
        var rest: Substring.UTF8View

        var isAtEnd: Bool { rest.isEmpty }

        mutating func take(_ sign: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: sign) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(_ count: Int) -> Int? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest.removeFirst(count)
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        /// Parses `15:04`, `15:04:05` or `15:04:05.25`; returns the seconds since midnight.
        ///
        /// The second may be a leap second.
        mutating func time() -> Double? {
            guard let hour = number(2), hour <= 23, take(":"), let minute = number(2), minute <= 59 else {
                return nil
            }
            let time = Double(hour * 3_600 + minute * 60)
            guard take(":") else { return time }
            guard let second = number(2), second <= 60 else { return nil }
            guard take(".") else { return time + Double(second) }
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty, let fraction = Double("0." + Substring(digits)) else { return nil }
            rest.removeFirst(digits.count)
            return time + Double(second) + fraction
        }

        /// Parses a zone: `Z`, `+05:45`, `-0330`, or nothing for UTC; returns its offset from UTC in seconds.
        mutating func offset() -> Int? {
            if isAtEnd || take("Z") { return 0 }
            let isWest = take("-")
            guard isWest || take("+"), let hours = number(2), hours <= 23 else { return nil }
            _ = take(":")
            guard let minutes = number(2), minutes <= 59 else { return nil }
            let offset = hours * 3_600 + minutes * 60
            return isWest ? -offset : offset
        }
    }
}
