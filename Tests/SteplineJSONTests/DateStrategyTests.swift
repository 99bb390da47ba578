import Foundation
import SteplineJSON
import Testing

/// Dates in JSON at changes of clocks and with odd offsets, beside Foundation's decoder.
@Suite("JSON.Decoder: dates and zones", .timeLimit(.minutes(5)))
struct DateStrategyTests {
    private func decode(
        _ text: String, _ strategy: JSONDecoder.DateDecodingStrategy
    ) throws -> (ours: Date?, foundations: Date?) {
        var decoder = JSON.Decoder()
        decoder.dateDecodingStrategy = strategy
        let foundations = JSONDecoder()
        foundations.dateDecodingStrategy = strategy
        let data = Data("[\(text)]".utf8)
        return (
            try? decoder.decode([Date].self, from: data).first,
            try? foundations.decode([Date].self, from: data).first
        )
    }

    private func seconds(_ date: Date?) -> Double? { date?.timeIntervalSince1970 }

    @Test(
        "ISO 8601 is read with its offset, and unusual texts as by Foundation's decoder",
        arguments: [
            ("2026-10-25T02:30:00+02:00", 1_792_888_200.0), ("2026-10-25T02:30:00+01:00", 1_792_891_800),
            ("2026-03-29T12:00:00+05:45", 1_774_764_900), ("2026-03-29T12:00:00-03:30", 1_774_798_200),
            ("2026-03-29T12:00:00+14:00", 1_774_735_200), ("2026-03-29T12:00:00-00:00", 1_774_785_600),
            ("2026-03-29T12:00:00Z", 1_774_785_600), ("2024-02-29T23:30:00-01:00", 1_709_253_000),
            ("2027-01-01T00:30:00+01:00", 1_798_759_800), ("1969-12-31T23:59:59Z", -1),
            // Unusual texts.
            ("2026-02-30T00:00:00Z", nil), ("2023-02-29T00:00:00Z", nil), ("2026-03-29T12:00:00", nil),
            ("2026-03-29", nil), ("2026-03-29T12:00:00.5Z", nil), ("2026-03-29T24:00:00Z", nil),
            ("2026-03-29T23:59:60Z", nil), ("2026-03-29 12:00:00Z", nil),
            ("2026-03-29T12:00:00+0545", nil), ("2026-03-29T12:00:00+25:00", nil),
            ("2026-03-29T12:00:00 CET", nil), ("Sun, 29 Mar 2026 12:00:00 GMT", nil), ("", nil),
            ("now", nil),
        ] as [(String, Double?)])
    func offsets(text: String, expected: Double?) throws {
        let found = try decode("\"\(text)\"", .iso8601)
        #expect(found.ours == found.foundations)
        if let expected { #expect(seconds(found.ours) == expected) }
    }

    private func formatter(_ zone: String, _ format: String = "yyyy-MM-dd HH:mm") throws -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        let place: TimeZone = try #require(TimeZone(identifier: zone))
        formatter.timeZone = place
        formatter.dateFormat = format
        return formatter
    }

    @Test(
        "a formatter's zone holds on both sides of a change of clocks, the formatter decides on other hours",
        arguments: [
            ("Europe/Berlin", "2026-03-29 01:59", 1_774_745_940.0),
            ("Europe/Berlin", "2026-03-29 03:00", 1_774_746_000),
            ("America/New_York", "2026-03-08 01:59", 1_772_953_140),
            ("America/New_York", "2026-03-08 03:00", 1_772_953_200),
            ("Australia/Lord_Howe", "2026-10-04 01:59", 1_791_041_340),
            ("Australia/Lord_Howe", "2026-10-04 02:30", 1_791_041_400),
            ("Asia/Kathmandu", "2026-01-01 00:00", 1_767_204_900),
            ("Pacific/Kiritimati", "2027-01-01 00:00", 1_798_711_200),
            // Hours that come twice or are skipped.
            ("Europe/Berlin", "2026-10-25 02:30", nil), ("Europe/Berlin", "2026-03-29 02:30", nil),
            ("America/New_York", "2026-11-01 01:30", nil), ("America/New_York", "2026-03-08 02:30", nil),
            ("Australia/Lord_Howe", "2026-04-05 01:45", nil),
            ("Australia/Lord_Howe", "2026-10-04 02:15", nil), ("Pacific/Apia", "2011-12-30 12:00", nil),
        ] as [(String, String, Double?)])
    func formatted(zone: String, text: String, expected: Double?) throws {
        let formatter = try formatter(zone)
        let found = try decode("\"\(text)\"", .formatted(formatter))
        #expect(found.ours == formatter.date(from: text) && found.foundations == found.ours)
        if let expected { #expect(seconds(found.ours) == expected) }
    }

    @Test("numbers count from 1970 or 2001 in seconds that pass, over a change of clocks")
    func numbers() throws {
        let change = 1_792_890_000.0  // The end of daylight saving in Europe, 2026.
        for offset in [-3_600.0, -0.5, 0, 3_600] {
            #expect(try seconds(decode("\(change + offset)", .secondsSince1970).ours) == change + offset)
            #expect(
                try seconds(decode("\((change + offset) * 1_000)", .millisecondsSince1970).ours) == change
                    + offset)
            let since2001 = change + offset - 978_307_200
            #expect(try seconds(decode("\(since2001)", .deferredToDate).ours) == change + offset)
        }
        #expect(try decode("\"1792890000\"", .secondsSince1970).ours == nil)
    }

    @Test("a custom strategy gives the date, or its error")
    func custom() throws {
        let berlin = try formatter("Europe/Berlin", "dd.MM.yyyy HH:mm XXX")
        let texts = ["25.10.2026 02:30 +02:00": 1_792_888_200.0, "25.10.2026 02:30 +01:00": 1_792_891_800]
        for (text, expected) in texts {
            let strategy = JSONDecoder.DateDecodingStrategy.custom { decoder in
                let text = try decoder.singleValueContainer().decode(String.self)
                guard let date = berlin.date(from: text) else { throw CocoaError(.formatting) }
                return date
            }
            #expect(try seconds(decode("\"\(text)\"", strategy).ours) == expected)
            #expect(try decode("\"25.10.2026\"", strategy).ours == nil)
        }
    }
}
