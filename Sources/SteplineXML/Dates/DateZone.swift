import SteplineSupport

/// How far a date's clock is ahead of UTC.
enum DateZone: Equatable {
    /// So many seconds.
    case offset(Int)
    /// So many in winter; in summer an hour more, by the rule of the United States.
    case american(Int)

    /// The seconds ahead of UTC when the clock shows a time, given as seconds since 1970.
    ///
    /// Nil for the hour that the clock skips in spring, and for the one that it shows twice in autumn.
    func offset(at local: Double) -> Int? {
        switch self {
        case .offset(let seconds): return seconds
        case .american(let winter):
            guard let summer = Self.summer(of: local) else { return winter }
            guard summer.contains(local) else { return winter }
            // The clock skips the first hour of summer, and shows the last one twice.
            let isUnique = local >= summer.lowerBound + 3_600 && local < summer.upperBound - 3_600
            return isUnique ? winter + 3_600 : nil
        }
    }

    /// From 2 o'clock on the second Sunday of March to the first of November; from the first of April to the last
    /// of October until 2006.
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
