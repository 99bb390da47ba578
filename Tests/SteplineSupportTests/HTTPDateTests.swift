import Foundation
import SteplineSupport
import Testing

/// Dates of HTTP are in GMT, whatever zone the process is in.
@Suite("Dates of HTTP", .timeLimit(.minutes(5)))
struct HTTPDateTests {
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private func date(_ year: Int, _ month: Int, _ day: Int, _ time: (Int, Int, Int) = (0, 0, 0)) throws
        -> Date
    {
        try #require(
            Self.calendar.date(
                from: DateComponents(
                    year: year, month: month, day: day, hour: time.0, minute: time.1, second: time.2)))
    }

    @Test(
        "the ends of months, leap days and years are written and read as Foundation's calendar has them",
        arguments: [
            1600, 1700, 1900, 1969, 1970, 1971, 1996, 1999, 2000, 2023, 2024, 2038, 2099, 2100, 2400, 9999,
        ])
    func months(year: Int) throws {
        for month in 1...12 {
            let first = try date(year, month, 1)
            let days = try #require(Self.calendar.range(of: .day, in: .month, for: first)).count
            for day in [1, 28, days] {
                let written = try date(year, month, day, (23, 59, 59))
                let text = HTTPDate.text(of: written)
                #expect(HTTPDate.date(of: text) == written, "\(text)")
                let weekday = Self.calendar.component(.weekday, from: written)
                #expect(text.hasPrefix(["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][weekday - 1]))
                let dayText = day < 10 ? "0\(day)" : "\(day)"
                #expect(text.contains(", \(dayText) ") && text.hasSuffix(" \(year) 23:59:59 GMT"))
            }
        }
    }

    @Test(
        "the clock does not jump where zones change to daylight saving and back",
        arguments: [
            (1_774_745_999.0, "Sun, 29 Mar 2026 00:59:59 GMT"),
            (1_774_746_000, "Sun, 29 Mar 2026 01:00:00 GMT"),
            (1_792_889_999, "Sun, 25 Oct 2026 00:59:59 GMT"),
            (1_792_890_000, "Sun, 25 Oct 2026 01:00:00 GMT"),
            (1_772_953_199, "Sun, 08 Mar 2026 06:59:59 GMT"),
            (1_772_953_200, "Sun, 08 Mar 2026 07:00:00 GMT"),
            (1_793_512_799, "Sun, 01 Nov 2026 05:59:59 GMT"),
            (1_793_512_800, "Sun, 01 Nov 2026 06:00:00 GMT"),
        ])
    func daylightSaving(seconds: Double, text: String) {
        #expect(HTTPDate.text(of: Date(timeIntervalSince1970: seconds)) == text)
        #expect(HTTPDate.date(of: text) == Date(timeIntervalSince1970: seconds))
    }

    @Test("a fraction of a second is dropped towards the past, before 1970 as well")
    func fractions() {
        #expect(HTTPDate.text(of: Date(timeIntervalSince1970: 0.999)) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(of: Date(timeIntervalSince1970: -0.001)) == "Wed, 31 Dec 1969 23:59:59 GMT")
    }

    @Test("a leap second is the first second of the next day")
    func leapSecond() {
        #expect(
            HTTPDate.date(of: "Sat, 31 Dec 2016 23:59:60 GMT") == Date(timeIntervalSince1970: 1_483_228_800))
    }

    @Test(
        "a time in another zone, or on a day that its month doesn't have, is no date of HTTP",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 -0000",
            "Sun, 06 Nov 1994 08:49:37 EST",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT+1",
            "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1599 08:49:37 GMT",
            "Sun, 30 Feb 2024 00:00:00 GMT", "Sun, 29 Feb 2023 00:00:00 GMT", "Sun, 29 Feb 2100 00:00:00 GMT",
            "Sun, 31 Apr 2026 00:00:00 GMT", "Sun, 31 Nov 2026 00:00:00 GMT",
        ])
    func invalid(text: String) { #expect(HTTPDate.date(of: text) == nil) }
}
