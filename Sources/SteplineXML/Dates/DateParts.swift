import Foundation
import SteplineSupport

/// The parts of a date, collected while scanning.
struct DateParts {
    private var day: Int?
    private var month: Int?
    private var year: Int?
    /// The day counted from 1970, if it was given in that form.
    private var dayNumber: Int?
    private var time: Double?
    private var zone: DateZone?
    /// Whether the zone was given by name, so that an offset may follow.
    private var isZoneNamed = false
    private var isISO = false
    /// Whether the assumed month came first, where a weekday may be meant.
    private var isMonthFirst = false

    /// The date; nil if a part is missing or the day doesn't exist.
    var date: Date? {
        var day = dayNumber
        if day == nil, let year, let month { day = CalendarDay.number(year, month, self.day ?? 1) }
        guard let day else { return nil }
        let local = Double(day) * 86_400 + (time ?? 0)
        guard let offset = (zone ?? .offset(0)).offset(at: local) else { return nil }
        return Date(timeIntervalSince1970: local - Double(offset))
    }

    private var hasDay: Bool { dayNumber != nil || (day != nil && month != nil && year != nil) }

    /// Parses a day in ISO 8601 or as numbers beginning with the year.
    mutating func readISODay(_ scanner: inout DateScanner) -> Bool {
        isISO = true
        if scanner.digitCount == 8 {
            (year, month, day) = (scanner.digits(4), scanner.digits(2), scanner.digits(2))
            return endsISODay(&scanner)
        }
        guard scanner.digitCount == 4, let year = scanner.digits(4) else { return false }
        self.year = year
        if scanner.isAtEnd {
            (month, day) = (1, 1)
            return true
        }
        guard let separator = scanner.peek(), "-/.".utf8.contains(separator) else { return false }
        scanner.skip()
        if separator == UInt8(ascii: "-"), scanner.take("W") {
            guard let week = scanner.digits(2) else { return false }
            let day = scanner.take("-") ? scanner.digits(1) : 1
            dayNumber = day.flatMap { CalendarDay.number(year, week: week, $0) }
            return dayNumber != nil && endsISODay(&scanner)
        }
        if scanner.digitCount == 3 {
            dayNumber = scanner.digits(3).flatMap { CalendarDay.number(year, ofYear: $0) }
            return dayNumber != nil && endsISODay(&scanner)
        }
        guard scanner.digitCount <= 2, let month = scanner.digits(scanner.digitCount) else { return false }
        self.month = month
        day = 1
        if scanner.peek() == separator {
            scanner.skip()
            guard scanner.digitCount <= 2, let day = scanner.digits(scanner.digitCount) else { return false }
            self.day = day
        } else if separator != UInt8(ascii: "-") {
            return false
        }
        return endsISODay(&scanner)
    }

    private func endsISODay(_ scanner: inout DateScanner) -> Bool {
        guard let byte = scanner.peek() else { return true }
        if byte | 32 == UInt8(ascii: "t"), scanner.isDigit(1) { scanner.skip() }
        return !scanner.isDigit() || byte | 32 == UInt8(ascii: "t")
    }

    /// Parses the remaining parts; returns false if a part is invalid.
    mutating func readRest(_ scanner: inout DateScanner) -> Bool {
        while true {
            scanner.blanks()
            guard let byte = scanner.peek() else { return true }
            let isRead: Bool
            if scanner.isDigit() {
                isRead = readNumber(&scanner)
            } else if "+-".utf8.contains(byte) {
                isRead = readSign(&scanner)
            } else if ",./".utf8.contains(byte) {
                scanner.skip()
                isRead = true
            } else if byte == UInt8(ascii: "(") {
                isRead = scanner.comment()
            } else {
                isRead = readWord(&scanner)
            }
            guard isRead else { return false }
        }
    }

    private mutating func readNumber(_ scanner: inout DateScanner) -> Bool {
        let count = scanner.digitCount
        if scanner.peek(count) == UInt8(ascii: ":") || (isISO && time == nil && (count == 4 || count == 6)) {
            guard time == nil, let found = DateTime(&scanner) else { return false }
            time = found.seconds
            return true
        }
        if day == nil, month == nil, year == nil, let separator = scanner.peek(count),
            "/.-".utf8.contains(separator), scanner.isDigit(count + 1)
        {
            return readNumericDay(&scanner, separator)
        }
        guard !hasDay, let number = scanner.digits(count) else { return false }
        if count == 4, year == nil {
            year = number
        } else if count <= 2, day == nil {
            day = number
            skipOrdinal(&scanner)
        } else if count == 2, year == nil {
            year = number < 50 ? 2_000 + number : 1_900 + number
        } else {
            return false
        }
        return true
    }

    /// Skips an ordinal suffix: `29th`, `1st`.
    private func skipOrdinal(_ scanner: inout DateScanner) {
        var ahead = scanner
        if let word = ahead.word(), ["st", "nd", "rd", "th"].contains(word) { scanner = ahead }
    }

    /// Parses a day given by three numbers.
    ///
    /// With dots the day comes first; otherwise the order must be unambiguous.
    private mutating func readNumericDay(_ scanner: inout DateScanner, _ separator: UInt8) -> Bool {
        guard let first = scanner.digits(scanner.digitCount), scanner.peek() == separator else {
            return false
        }
        scanner.skip()
        guard let second = scanner.digits(scanner.digitCount), scanner.peek() == separator else {
            return false
        }
        scanner.skip()
        guard scanner.digitCount == 4, let last = scanner.digits(4) else { return false }
        year = last
        if separator == UInt8(ascii: ".") || first > 12 || first == second {
            (day, month) = (first, second)
        } else {
            guard second > 12 else { return false }
            (day, month) = (second, first)
        }
        return true
    }

    /// Parses the offset of a zone, or a dash between other parts.
    private mutating func readSign(_ scanner: inout DateScanner) -> Bool {
        let isMinus = scanner.peek() == UInt8(ascii: "-")
        let isZone = time != nil || (isISO && hasDay)
        scanner.skip()
        guard isZone, scanner.isDigit() else { return isMinus && !isZone }
        // After a day without a time, `-01:00` is a zone, and `-01` is invalid.
        if time == nil, scanner.digitCount <= 2, scanner.peek(scanner.digitCount) != UInt8(ascii: ":") {
            return false
        }
        guard let offset = Self.offset(&scanner) else { return false }
        let found = DateZone.offset(isMinus ? -offset : offset)
        // `GMT+0200` is two hours ahead of UTC; other names must agree with the offset.
        guard zone == nil || (isZoneNamed && (zone == .offset(0) || zone == found)) else { return false }
        zone = found
        isZoneNamed = false
        return true
    }

    /// Parses `5`, `05`, `530`, `0530`, `5:30` or `05:30`.
    private static func offset(_ scanner: inout DateScanner) -> Int? {
        let count = scanner.digitCount
        guard count <= 4, let number = scanner.digits(count) else { return nil }
        var (hours, minutes) = count > 2 ? (number / 100, number % 100) : (number, 0)
        if count <= 2, scanner.peek() == UInt8(ascii: ":"), scanner.isDigit(1) {
            scanner.skip()
            guard scanner.digitCount == 2, let given = scanner.digits(2) else { return nil }
            minutes = given
        }
        guard hours <= 15, minutes < 60 else { return nil }
        hours *= 3_600
        return hours + minutes * 60
    }

    private mutating func readWord(_ scanner: inout DateScanner) -> Bool {
        let isFirst = scanner.isAtStart
        guard let word = scanner.word() else { return false }
        if let found = DateNames.month(word), month == nil || isMonthFirst, dayNumber == nil, !isISO {
            month = found
            isMonthFirst = isFirst && scanner.peek().map { ",.".utf8.contains($0) } == true
            return true
        }
        if time != nil, let isAfternoon = Self.half(word, &scanner) { return shift(isAfternoon) }
        if DateNames.isWeekday(word) || DateNames.isFiller(word) { return true }
        // The first word before a comma or dot: a weekday in an unknown language.
        if isFirst, let next = scanner.peek(), ",.".utf8.contains(next) { return true }
        guard time != nil || (isISO && hasDay), let found = DateNames.zone(word) else { return false }
        guard zone == nil || (!isZoneNamed && zone == found) else { return false }
        isZoneNamed = zone == nil
        zone = found
        return true
    }

    /// Returns whether a word means the afternoon, `pm` or `p.m.`; false for the morning.
    ///
    /// Returns nil for other words.
    private static func half(_ word: String, _ scanner: inout DateScanner) -> Bool? {
        if word == "am" || word == "pm" { return word == "pm" }
        guard word == "a" || word == "p", scanner.take(".") else { return nil }
        var ahead = scanner
        guard ahead.word() == "m" else { return nil }
        scanner = ahead
        return word == "p"
    }

    private mutating func shift(_ isAfternoon: Bool) -> Bool {
        guard let time, zone == nil, time >= 3_600, time < 46_800 else { return false }
        let morning = time >= 43_200 ? time - 43_200 : time
        self.time = isAfternoon ? morning + 43_200 : morning
        return true
    }
}
