package import Foundation

/// Days of the Gregorian calendar, counted from 1970.
package enum CalendarDay {
    /// Returns the number of a day; nil if the day doesn't exist.
    package static func number(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        guard (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        // The year begins in March here, so the leap day is its last day.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    /// Returns the number of a day given by its position in the year, from 1.
    package static func number(_ year: Int, ofYear day: Int) -> Int? {
        guard let first = number(year, 1, 1), let next = number(year + 1, 1, 1), day >= 1,
            first + day - 1 < next
        else { return nil }
        return first + day - 1
    }

    /// Returns the number of a day in an ISO 8601 week; the first week of a year contains its first Thursday.
    package static func number(_ year: Int, week: Int, _ day: Int) -> Int? {
        guard let first = firstWeek(of: year), let next = firstWeek(of: year + 1), week >= 1,
            (1...7).contains(day)
        else { return nil }
        let start = first + (week - 1) * 7
        return start < next ? start + day - 1 : nil
    }

    /// Returns the Monday of a year's first week.
    private static func firstWeek(of year: Int) -> Int? {
        number(year, 1, 4).map { $0 - (weekday($0) + 6) % 7 }
    }

    /// Returns the weekday; 0 is Sunday.
    package static func weekday(_ day: Int) -> Int { ((day + 4) % 7 + 7) % 7 }

    /// Returns the first Sunday on or after a day, or a later Sunday by weeks.
    package static func sunday(_ number: Int, from day: Int?) -> Int? {
        day.map { $0 + (7 - weekday($0)) % 7 + (number - 1) * 7 }
    }

    /// Returns the day of a date in UTC, and the whole seconds since its midnight.
    package static func split(_ date: Date) -> (day: Int, second: Int) {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let day = Int((Double(seconds) / 86_400).rounded(.down))
        return (day, seconds - day * 86_400)
    }

    /// Returns the year, month and day of the month of a day.
    package static func parts(of day: Int) -> (year: Int, month: Int, day: Int) {
        // Eras of 400 years from 1 March of the year 0: a leap day is the last day of its year.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}
