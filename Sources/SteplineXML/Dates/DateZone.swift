import SteplineSupport

/// The offset of a time zone from UTC.
enum DateZone: Equatable {
    /// A fixed number of seconds.
    case offset(Int)
    /// A number of seconds in winter, and an hour more in summer by the rules of the United States.
    case american(Int)

    /// Returns the offset in seconds at a local time, given as seconds since 1970.
    ///
    /// Returns nil in the hour skipped in spring and in the hour repeated in autumn.
    func offset(at local: Double) -> Int? {
        switch self {
        case .offset(let seconds): return seconds
        case .american(let winter):
            guard let summer = Self.summer(of: local) else { return winter }
            guard summer.contains(local) else { return winter }
            // The first hour of summer time doesn't exist, and the last one is ambiguous.
            let isUnique = local >= summer.lowerBound + 3_600 && local < summer.upperBound - 3_600
            return isUnique ? winter + 3_600 : nil
        }
    }

    /// Returns summer time of the year that contains a local time.
    ///
    /// Since 2007 from the second Sunday of March to the first of November, at 2 o'clock. Before from the first Sunday
    /// of April to the last of October.
    private static func summer(of local: Double) -> Range<Double>? {
        let day = Int((local / 86_400).rounded(.down))
        let year = CalendarDay.parts(of: day).year
        let first: Int?
        let last: Int?
        if year >= 2007 {
            first = CalendarDay.sunday(2, from: CalendarDay.number(year, 3, 1))
            last = CalendarDay.sunday(1, from: CalendarDay.number(year, 11, 1))
        } else {
            first = CalendarDay.sunday(1, from: CalendarDay.number(year, 4, 1))
            last = CalendarDay.sunday(1, from: CalendarDay.number(year, 10, 25))
        }
        guard let first, let last else { return nil }
        return Double(first * 86_400 + 7_200)..<Double(last * 86_400 + 7_200)
    }
}
