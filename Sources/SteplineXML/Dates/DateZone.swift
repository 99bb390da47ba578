/// How far a date's clock is ahead of UTC.
enum DateZone: Equatable {
    /// So many seconds.
    case offset(Int)
    /// So many in winter; in summer an hour more, by the rule of the United States.
    case american(Int)

    /// The seconds ahead of UTC when the clock shows a time, told as seconds since 1970.
    func offset(at local: Double) -> Int {
        switch self {
        case .offset(let seconds): seconds
        case .american(let winter): Self.isSummer(local) ? winter + 3_600 : winter
        }
    }

    /// From 2 o'clock on the second Sunday of March to the first of November; from the first of April to the last
    /// of October until 2006.
    private static func isSummer(_ local: Double) -> Bool {
        let day = Int((local / 86_400).rounded(.down))
        let year = CalendarDay.year(of: day)
        let first: Int?
        let last: Int?
        if year >= 2007 {
            first = CalendarDay.sunday(2, from: CalendarDay.number(year, 3, 1))
            last = CalendarDay.sunday(1, from: CalendarDay.number(year, 11, 1))
        } else {
            first = CalendarDay.sunday(1, from: CalendarDay.number(year, 4, 1))
            last = CalendarDay.sunday(1, from: CalendarDay.number(year, 10, 25))
        }
        guard let first, let last else { return false }
        return local >= Double(first * 86_400 + 7_200) && local < Double(last * 86_400 + 7_200)
    }
}

/// Days counted from 1970 in the Gregorian calendar.
enum CalendarDay {
    /// Nil if there is no such day.
    static func number(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        guard (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        // Counted from March, so that the leap day comes last.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    /// The day of a year, from 1.
    static func number(_ year: Int, ofYear day: Int) -> Int? {
        guard let first = number(year, 1, 1), let next = number(year + 1, 1, 1), day >= 1,
            first + day - 1 < next
        else { return nil }
        return first + day - 1
    }

    /// The day of a week of ISO 8601, whose first week has the year's first Thursday.
    static func number(_ year: Int, week: Int, _ day: Int) -> Int? {
        guard let fourth = number(year, 1, 4), (1...53).contains(week), (1...7).contains(day) else {
            return nil
        }
        return fourth - (weekday(fourth) + 6) % 7 + (week - 1) * 7 + day - 1
    }

    /// 0 is Sunday.
    static func weekday(_ day: Int) -> Int { ((day + 4) % 7 + 7) % 7 }

    /// The first Sunday on a day or after it, or one that many weeks further on.
    static func sunday(_ number: Int, from day: Int?) -> Int? {
        day.map { $0 + (7 - weekday($0)) % 7 + (number - 1) * 7 }
    }

    static func year(of day: Int) -> Int {
        var year = 1970 + Int((Double(day) / 365.2425).rounded(.down))
        while let first = number(year + 1, 1, 1), first <= day { year += 1 }
        while let first = number(year, 1, 1), first > day { year -= 1 }
        return year
    }
}
