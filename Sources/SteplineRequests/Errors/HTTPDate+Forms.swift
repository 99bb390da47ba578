package import Foundation
package import SteplineSupport

extension HTTPDate {
    /// Returns the date in a header, in any of the three formats of RFC 9110; nil for other text.
    package static func date(ofAnyForm text: String, now: Date = Date()) -> Date? {
        if let date = date(of: text) { return date }
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
        // Sunday, 06-Nov-94 08:49:37 GMT
        if words.count == 4, words[3] == "GMT" {
            let parts = words[1].split(separator: "-").map(String.init)
            // The obsolete RFC 850 format has two digits for the year.
            guard parts.count == 3, parts[2].utf8.count == 2, let short = Int(parts[2]), short >= 0 else {
                return nil
            }
            return date(parts[0], parts[1], year(short, now), words[2])
        }
        // Sun Nov  6 08:49:37 1994
        if words.count == 5, let year = Int(words[4]) { return date(words[2], words[1], year, words[3]) }
        return nil
    }

    /// Returns the date of a cookie, which may have hyphens and a two-digit year.
    static func date(ofCookie text: String, now: Date = Date()) -> Date? {
        date(ofAnyForm: text, now: now) ?? date(ofAnyForm: text.rewriting { $0 == "-" ? " " : nil }, now: now)
    }

    /// Returns the year for two digits: the latest one that is at most 50 years ahead.
    private static func year(_ short: Int, _ now: Date) -> Int {
        let latest = CalendarDay.parts(of: CalendarDay.split(now).day).year + 50
        let year = latest / 100 * 100 + short
        return year > latest ? year - 100 : year
    }

    private static func date(_ day: String, _ month: String, _ year: Int, _ clock: String) -> Date? {
        date(of: "Xxx, \(day) \(month) \(year) \(clock) GMT")
    }
}
