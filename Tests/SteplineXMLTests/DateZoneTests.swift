import Foundation
import SteplineXML
import Testing

/// Dates of documents and feeds at changes of clocks, with odd offsets, and at the ends of years.
///
/// The guide's rule: a date is never another instant than the one that is meant, and nil if it has two meanings.
@Suite("Zones of dates in documents", .timeLimit(.minutes(5)))
struct DateZoneTests {
    private struct Box: Decodable { let d: Date }

    private func read(_ text: String) -> Date? {
        try? XML.Decoder().decode(Box.self, from: Data("<a d=\"\(text)\"/>".utf8)).d
    }

    private func instant(_ text: String) throws -> Date {
        try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")))
    }

    private static let dates: [(String, String)] = [
        // The offset counts in minutes, not only in hours.
        ("2026-03-29T12:00:00+05:45", "2026-03-29T06:15:00Z"),
        ("2026-03-29T12:00:00-03:30", "2026-03-29T15:30:00Z"),
        ("2026-03-29T12:00:00+12:45", "2026-03-28T23:15:00Z"),
        ("2026-03-29T12:00:00+14:00", "2026-03-28T22:00:00Z"),
        ("2026-03-29T12:00:00-12:00", "2026-03-30T00:00:00Z"),
        ("2026-03-29T12:00:00+10:30", "2026-03-29T01:30:00Z"),
        ("2026-03-29T12:00:00+0545", "2026-03-29T06:15:00Z"),
        ("2026-03-29T12:00:00-00:00", "2026-03-29T12:00:00Z"),
        ("2026-03-29T12:00:00+00:00", "2026-03-29T12:00:00Z"),
        ("2026-03-29T12:00:00Z", "2026-03-29T12:00:00Z"),
        ("2026-03-29T12:00:00.125-09:30", "2026-03-29T21:30:00.125Z"),
        ("Sun, 29 Mar 2026 12:00:00 +0545", "2026-03-29T06:15:00Z"),
        ("Sun, 29 Mar 2026 12:00:00 -0000", "2026-03-29T12:00:00Z"),
        ("Sun, 29 Mar 2026 12:00:00 -0330", "2026-03-29T15:30:00Z"),
        ("Sun, 29 Mar 2026 12:00:00 ACST", "2026-03-29T02:30:00Z"),
        ("Sun, 29 Mar 2026 12:00:00 NST", "2026-03-29T15:30:00Z"),
        // The offset or the zone's name decides on an hour that comes twice.
        ("Sun, 25 Oct 2026 02:30:00 +0200", "2026-10-25T00:30:00Z"),
        ("Sun, 25 Oct 2026 02:30:00 +0100", "2026-10-25T01:30:00Z"),
        ("Sun, 25 Oct 2026 02:30:00 CEST", "2026-10-25T00:30:00Z"),
        ("Sun, 25 Oct 2026 02:30:00 CET", "2026-10-25T01:30:00Z"),
        ("So, 25. Okt 2026 02:30:00 MESZ", "2026-10-25T00:30:00Z"),
        ("So, 25. Okt 2026 02:30:00 MEZ", "2026-10-25T01:30:00Z"),
        ("Sun, 01 Nov 2026 01:30:00 EDT", "2026-11-01T05:30:00Z"),
        ("Sun, 01 Nov 2026 01:30:00 EST", "2026-11-01T06:30:00Z"),
        ("2026-04-05T01:45:00+11:00", "2026-04-04T14:45:00Z"),
        ("2026-04-05T01:45:00+10:30", "2026-04-04T15:15:00Z"),
        ("Sun, 05 Apr 2026 02:30:00 AEDT", "2026-04-04T15:30:00Z"),
        ("Sun, 05 Apr 2026 02:30:00 AEST", "2026-04-04T16:30:00Z"),
        ("29 Feb 24 07:30:15 EST", "2024-02-29T12:30:15Z"),
        ("Thu, 29 feb 2024 12:30 +0000", "2024-02-29T12:30:00Z"),
        // The names ET, CT, MT and PT follow daylight saving of the United States.
        ("Sun, 08 Mar 2026 01:59:59 ET", "2026-03-08T06:59:59Z"),
        ("Sun, 08 Mar 2026 03:00:00 ET", "2026-03-08T07:00:00Z"),
        ("Sun, 01 Nov 2026 00:59:59 ET", "2026-11-01T04:59:59Z"),
        ("Sun, 01 Nov 2026 02:00:00 ET", "2026-11-01T07:00:00Z"),
        ("Sat, 01 Aug 2026 12:00:00 CT", "2026-08-01T17:00:00Z"),
        ("Thu, 31 Dec 2026 23:59:59 CT", "2027-01-01T05:59:59Z"),
        ("Sat, 01 Aug 2026 12:00:00 MT", "2026-08-01T18:00:00Z"),
        ("Sat, 01 Aug 2026 12:00:00 PT", "2026-08-01T19:00:00Z"),
        ("Fri, 01 Jan 2027 00:00:00 PT", "2027-01-01T08:00:00Z"),
        ("Sun, 02 Apr 2006 01:59:59 ET", "2006-04-02T06:59:59Z"),
        ("Sun, 02 Apr 2006 03:00:00 ET", "2006-04-02T07:00:00Z"),
        ("Sun, 29 Oct 2006 02:00:00 ET", "2006-10-29T07:00:00Z"),
        ("Sun, 11 Mar 2007 03:00:00 ET", "2007-03-11T07:00:00Z"),
        ("Sun, 04 Nov 2007 02:00:00 ET", "2007-11-04T07:00:00Z"),
        // Leap days, leap seconds and the ends of years and weeks.
        ("2024-02-29T23:30:00-01:00", "2024-03-01T00:30:00Z"),
        ("2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00Z"),
        ("2000-02-29", "2000-02-29T00:00:00Z"), ("2024-366", "2024-12-31T00:00:00Z"),
        ("2023-365", "2023-12-31T00:00:00Z"),
        ("2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00Z"),
        ("2027-01-01T00:30:00+01:00", "2026-12-31T23:30:00Z"),
        ("Thu, 31 Dec 2026 23:59:59 -1200", "2027-01-01T11:59:59Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ("2026-12-31T24:00:00Z", "2027-01-01T00:00:00Z"), ("2020-W53-7", "2021-01-03T00:00:00Z"),
        ("2026-W01-1", "2025-12-29T00:00:00Z"), ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
        ("2020-W53-1", "2020-12-28T00:00:00Z"), ("2026-W53-1", "2026-12-28T00:00:00Z"),
        // An offset after a day has minutes.
        ("2013-01-27-01:00", "2013-01-27T01:00:00Z"), ("2013-01-27Z", "2013-01-27T00:00:00Z"),
    ]

    @Test("a date is read as the instant of its offset or its zone's name", arguments: dates)
    func instants(text: String, expected: String) throws { #expect(read(text) == (try instant(expected))) }

    private static let faultyDates: [String] = [
        // An offset that no place has.
        "2026-03-29T12:00:00+24:00", "2026-03-29T12:00:00+05:60", "2026-03-29T12:00:00+5:4",
        "2026-03-29T12:00:00+",
        "2026-03-29T12:00:00+05:45:00", "Sun, 29 Mar 2026 12:00:00 +05450",
        "Sun, 29 Mar 2026 12:00:00 +9900",
        "Sun, 29 Mar 2026 12:00:00 XYZ", "Sun, 29 Mar 2026 12:00:00 Europe/Berlin",
        // An hour that comes twice in a zone without an offset has two meanings, a skipped hour has none.
        "Sun, 01 Nov 2026 01:30:00 ET", "Sun, 08 Mar 2026 02:30:00 ET",
        "Sun, 01 Nov 2026 01:30:00 CT", "Sun, 08 Mar 2026 02:30:00 CT",
        "Sun, 01 Nov 2026 01:30:00 MT", "Sun, 08 Mar 2026 02:30:00 MT",
        "Sun, 01 Nov 2026 01:30:00 PT", "Sun, 08 Mar 2026 02:30:00 PT",
        // A day or a week that the calendar doesn't have.
        "2023-02-29", "2100-02-29", "1900-02-29T00:00:00Z", "Thu, 29 Feb 2023 00:00:00 GMT", "2026-04-31",
        "31 Apr 2026",
        "2023-366", "2024-367", "2026-13-01", "2026-00-10", "2026-01-00", "2026-01-01T24:00:01Z",
        "2026-01-01T23:60:00Z",
        "2026-W54-1", "2026-W00-1", "2026-W01-8",
        "2021-W53-1", "2024-W53-1", "2025-W53-7",
        // A day followed by an offset of hours alone.
        "2013-01-27-01",
        // An empty text.
        "",
    ]

    @Test("a text without an instant, or with two meanings, is no date", arguments: faultyDates)
    func invalid(text: String) { #expect(read(text) == nil) }

    @Test(
        "a zone holds for a feed's item as for a value that is decoded, and what has two meanings stays as text"
    )
    func feed() throws {
        let feed = try Feed(
            data: Data(
                """
                <rss version="2.0"><channel><title>t</title>
                <item><title>a</title><pubDate>Sun, 25 Oct 2026 02:30:00 +0200</pubDate></item>
                <item><title>b</title><pubDate>Sun, 25 Oct 2026 02:30:00 +0100</pubDate></item>
                <item><title>c</title><pubDate>04/05/2026 02:30</pubDate></item></channel></rss>
                """.utf8))
        let dates = feed.items.map(\.date)
        #expect(dates == [try instant("2026-10-25T00:30:00Z"), try instant("2026-10-25T01:30:00Z"), nil])
        #expect(feed.items[2].dateText == "04/05/2026 02:30" && feed.mended.count == 1)
    }

    @Test("each strategy of the decoder reads zones")
    func strategies() throws {
        func decode(_ text: String, _ strategy: XML.Decoder.DateStrategy) -> Date? {
            var decoder = XML.Decoder()
            decoder.dateStrategy = strategy
            return try? decoder.decode(Box.self, from: Data("<a d=\"\(text)\"/>".utf8)).d
        }
        let expected = try instant("2026-10-25T00:30:00Z")
        #expect(decode("2026-10-25T02:30:00+02:00", .iso8601) == expected)
        #expect(decode("Sun, 25 Oct 2026 02:30:00 +0200", .rfc822) == expected)
        #expect(decode("2026-10-25T02:30:00+02:00", .automatic) == expected)
        #expect(decode("Sun, 25 Oct 2026 02:30:00 CEST", .automatic) == expected)
        #expect(decode("1792888200", .secondsSince1970) == expected)
        #expect(decode("Sun, 25 Oct 2026 02:30:00 +0200", .iso8601) == nil)
        #expect(
            decode("x", .custom { _ in expected }) == expected && decode("x", .custom { _ in nil }) == nil)
    }
}
