package import Foundation

/// Dates in HTTP's format: `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    package static func text(of date: Date) -> String {
        let (day, time) = CalendarDay.split(date)
        let (year, month, dayOfMonth) = CalendarDay.parts(of: day)
        let clock = String(format: "%02d:%02d:%02d", time / 3600, time / 60 % 60, time % 60)
        let weekday = days[CalendarDay.weekday(day)]
        return weekday + String(format: ", %02d ", dayOfMonth) + months[month - 1]
            + String(format: " %04d ", year) + clock + " GMT"
    }

    /// Parses a date in HTTP's current format; returns nil for other text.
    package static func date(of text: some StringProtocol) -> Date? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," })
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
            let month = months.firstIndex(of: String(words[2])), (1600...9999).contains(year),
            let number = CalendarDay.number(year, month + 1, day)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        let seconds = number * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
