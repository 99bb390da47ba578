import Foundation

/// Reads the dates that documents hold: ISO 8601 and RFC 822, the latter as loosely as feeds write it.
enum DateText {
    static func any(_ text: String) -> Date? { iso8601(text) ?? rfc822(text) }

    /// `2024-02-29`, `2024-02-29T12:30:15.5+01:00` and what lies between; without a zone it is UTC.
    static func iso8601(_ text: String) -> Date? {
        var scanner = DateScanner(text)
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2) else {
            return nil
        }
        var day = 1
        if scanner.take("-") {
            guard let given = scanner.digits(2) else { return nil }
            day = given
        }
        guard let date = days(year, month, day) else { return nil }
        guard scanner.take("T") || scanner.take("t") || scanner.take(" ") else {
            return scanner.isAtEnd ? Date(timeIntervalSince1970: Double(date) * 86_400) : nil
        }
        guard let time = scanner.time(), let zone = scanner.isAtEnd ? 0 : scanner.zone(), scanner.isAtEnd
        else {
            return nil
        }
        return Date(timeIntervalSince1970: Double(date) * 86_400 + time - Double(zone))
    }

    /// `Thu, 29 Feb 2024 12:30:15 +0100`; weekday, seconds and zone may be missing, names in any case.
    static func rfc822(_ text: String) -> Date? {
        var scanner = DateScanner(text)
        if scanner.word() != nil { _ = scanner.take(",") }
        scanner.blanks()
        guard let day = scanner.digits(2) ?? scanner.digits(1) else { return nil }
        scanner.blanks()
        _ = scanner.take("-")
        guard let name = scanner.word()?.lowercased().prefix(3),
            let month = months.firstIndex(of: String(name))
        else {
            return nil
        }
        scanner.blanks()
        _ = scanner.take("-")
        guard let given = scanner.digits(4) ?? scanner.digits(2) else { return nil }
        let year = given < 50 ? 2_000 + given : given < 100 ? 1_900 + given : given
        scanner.blanks()
        guard let date = days(year, month + 1, day) else { return nil }
        if scanner.isAtEnd { return Date(timeIntervalSince1970: Double(date) * 86_400) }
        guard let time = scanner.time() else { return nil }
        scanner.blanks()
        guard let zone = scanner.isAtEnd ? 0 : scanner.zone() else { return nil }
        return Date(timeIntervalSince1970: Double(date) * 86_400 + time - Double(zone))
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Days since 1970 in the Gregorian calendar; nil if there is no such day.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        guard (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        // Counted from March, so that the leap day comes last.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
