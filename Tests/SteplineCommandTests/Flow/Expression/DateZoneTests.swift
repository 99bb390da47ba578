import Foundation
import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

/// Functions of dates at changes of clocks, with odd offsets, and at the ends of years (Expressions.md, Dates).
///
/// | zone | clocks in 2026 |
/// |---|---|
/// | Europe/Berlin | from 2:00 to 3:00 on 29 March at 01:00 UTC, from 3:00 to 2:00 on 25 October at 01:00 UTC |
/// | America/New_York | from 2:00 to 3:00 on 8 March at 07:00 UTC, from 2:00 to 1:00 on 1 November at 06:00 UTC |
/// | Australia/Lord_Howe | from 2:00 to 1:30 on 5 April at 15:00 UTC the day before, from 2:00 to 2:30 on 4 October at 15:30 UTC the day before |
@Suite("Workflow files: dates and zones", .timeLimit(.minutes(5)))
struct DateZoneTests {
    private func value(_ text: String) throws -> JSON {
        let formula = try ExpressionParser.parse(FlowText(text, start: 0))
        return try ExpressionEvaluator { _ in .null }.value(of: formula)
    }

    private func text(_ formula: String) throws -> String? { try value(formula).string }

    /// The text, or nil if the function refuses its arguments.
    private func possibleText(_ formula: String) -> String? { try? text(formula) }

    @Test(
        "dateText knows changes of clocks, odd offsets and skipped days",
        arguments: [
            ("2026-03-29T00:59:59Z", "Europe/Berlin", "2026-03-29 01:59:59 +01:00"),
            ("2026-03-29T01:00:00Z", "Europe/Berlin", "2026-03-29 03:00:00 +02:00"),
            ("2026-10-25T00:30:00Z", "Europe/Berlin", "2026-10-25 02:30:00 +02:00"),
            ("2026-10-25T01:30:00Z", "Europe/Berlin", "2026-10-25 02:30:00 +01:00"),
            ("2026-03-08T06:59:59Z", "America/New_York", "2026-03-08 01:59:59 -05:00"),
            ("2026-03-08T07:00:00Z", "America/New_York", "2026-03-08 03:00:00 -04:00"),
            ("2026-11-01T05:30:00Z", "America/New_York", "2026-11-01 01:30:00 -04:00"),
            ("2026-11-01T06:30:00Z", "America/New_York", "2026-11-01 01:30:00 -05:00"),
            ("2026-04-04T14:59:59Z", "Australia/Lord_Howe", "2026-04-05 01:59:59 +11:00"),
            ("2026-04-04T15:00:00Z", "Australia/Lord_Howe", "2026-04-05 01:30:00 +10:30"),
            ("2026-10-03T15:29:59Z", "Australia/Lord_Howe", "2026-10-04 01:59:59 +10:30"),
            ("2026-10-03T15:30:00Z", "Australia/Lord_Howe", "2026-10-04 02:30:00 +11:00"),
            ("2026-01-01T00:00:00Z", "Asia/Kathmandu", "2026-01-01 05:45:00 +05:45"),
            ("2026-01-01T00:00:00Z", "Pacific/Chatham", "2026-01-01 13:45:00 +13:45"),
            ("2026-01-01T00:00:00Z", "America/St_Johns", "2025-12-31 20:30:00 -03:30"),
            ("2026-12-31T12:00:00Z", "Pacific/Kiritimati", "2027-01-01 02:00:00 +14:00"),
            ("2027-01-01T10:59:59Z", "Pacific/Pago_Pago", "2026-12-31 23:59:59 -11:00"),
            ("2011-12-30T09:59:59Z", "Pacific/Apia", "2011-12-29 23:59:59 -10:00"),
            ("2011-12-30T10:00:00Z", "Pacific/Apia", "2011-12-31 00:00:00 +14:00"),
            ("2024-02-29T23:30:00Z", "Asia/Tokyo", "2024-03-01 08:30:00 +09:00"),
            ("2024-03-01T04:59:59Z", "America/New_York", "2024-02-29 23:59:59 -05:00"),
            ("2024-02-29T23:30:00Z", "UTC", "2024-02-29 23:30:00 Z"),
        ])
    func places(date: String, zone: String, expected: String) throws {
        #expect(try text("dateText('\(date)', 'yyyy-MM-dd HH:mm:ss XXX', '\(zone)')") == expected)
    }

    @Test(
        "date reads a local time before and after a change of clocks, and refuses one that is skipped",
        arguments: [
            ("2026-03-29 01:59", "Europe/Berlin", "2026-03-29T00:59:00Z"),
            ("2026-03-29 03:00", "Europe/Berlin", "2026-03-29T01:00:00Z"),
            ("2026-10-25 01:59", "Europe/Berlin", "2026-10-24T23:59:00Z"),
            ("2026-10-25 03:00", "Europe/Berlin", "2026-10-25T02:00:00Z"),
            ("2026-03-08 01:59", "America/New_York", "2026-03-08T06:59:00Z"),
            ("2026-03-08 03:00", "America/New_York", "2026-03-08T07:00:00Z"),
            ("2026-11-01 00:59", "America/New_York", "2026-11-01T04:59:00Z"),
            ("2026-11-01 02:00", "America/New_York", "2026-11-01T07:00:00Z"),
            ("2026-10-04 01:59", "Australia/Lord_Howe", "2026-10-03T15:29:00Z"),
            ("2026-10-04 02:30", "Australia/Lord_Howe", "2026-10-03T15:30:00Z"),
            ("2026-04-05 01:29", "Australia/Lord_Howe", "2026-04-04T14:29:00Z"),
            ("2026-04-05 02:00", "Australia/Lord_Howe", "2026-04-04T15:30:00Z"),
            ("2026-01-01 00:00", "Asia/Kathmandu", "2025-12-31T18:15:00Z"),
            ("2024-02-29 00:00", "Asia/Tokyo", "2024-02-28T15:00:00Z"),
            ("2027-01-01 00:00", "Pacific/Kiritimati", "2026-12-31T10:00:00Z"),
            // Skipped.
            ("2026-03-29 02:30", "Europe/Berlin", nil), ("2026-03-08 02:30", "America/New_York", nil),
            ("2026-10-04 02:15", "Australia/Lord_Howe", nil), ("2011-12-30 12:00", "Pacific/Apia", nil),
        ])
    func localTimes(local: String, zone: String, expected: String?) throws {
        #expect(possibleText("date('\(local)', 'yyyy-MM-dd HH:mm', '\(zone)')") == expected)
        guard let expected else { return }
        #expect(try text("dateText('\(expected)', 'yyyy-MM-dd HH:mm', '\(zone)')") == local)
    }

    @Test(
        "a local time that comes twice is one of its two instants",
        arguments: [
            ("2026-10-25 02:30", "Europe/Berlin", ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]),
            ("2026-11-01 01:30", "America/New_York", ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"]),
            ("2026-04-05 01:45", "Australia/Lord_Howe", ["2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"]),
        ])
    func twice(local: String, zone: String, instants: [String]) throws {
        let found = try text("date('\(local)', 'yyyy-MM-dd HH:mm', '\(zone)')")
        #expect(instants.contains(found ?? "none"), "\(found ?? "none")")
        for instant in instants {
            #expect(try text("dateText('\(instant)', 'yyyy-MM-dd HH:mm', '\(zone)')") == local)
        }
        // With an offset in the pattern, there is but one.
        let offsets = try instants.map {
            try text("dateText('\($0)', 'yyyy-MM-dd HH:mm XXX', '\(zone)')") ?? "none"
        }
        let again = try offsets.map { try text("date('\($0)', 'yyyy-MM-dd HH:mm XXX', '\(zone)')") }
        #expect(Set(offsets).count == 2 && again == instants)
    }

    @Test(
        "date reads ISO 8601 with any offset, and refuses all else",
        arguments: [
            ("2026-03-29T12:00:00+05:45", "2026-03-29T06:15:00Z"),
            ("2026-03-29T12:00:00-03:30", "2026-03-29T15:30:00Z"),
            ("2026-03-29T12:00:00+14:00", "2026-03-28T22:00:00Z"),
            ("2026-03-29T12:00:00-12:00", "2026-03-30T00:00:00Z"),
            ("2026-03-29T12:00:00-00:00", "2026-03-29T12:00:00Z"),
            ("2026-03-29T12:00:00.5+05:45", "2026-03-29T06:15:00Z"),
            ("2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00Z"),
            ("2027-01-01T00:30:00+01:00", "2026-12-31T23:30:00Z"),
            ("2024-02-29T23:30:00-01:00", "2024-03-01T00:30:00Z"), ("2000-02-29", "2000-02-29T00:00:00Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"), ("1583-01-01", "1583-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
            // Days, times and offsets that don't exist, and text behind the zone.
            ("2100-02-29", nil), ("1900-02-29T00:00:00Z", nil), ("2026-04-31", nil), ("2026-00-01", nil),
            ("2026-01-01T23:60:00Z", nil), ("2026-01-01T23:59:61Z", nil), ("2026-W01-1", nil),
            ("2026-1-1", nil), ("26-01-01", nil), ("2026-01-01Z", nil), ("0000-01-01", nil),
            ("2026-01-01T", nil), ("20260101T120000Z", nil), ("2026-01-01T12:00:00 CET", nil),
            ("2026-01-01T12:00:00+24:00", nil), ("2026-01-01T12:00:00+05:60", nil),
            ("2026-01-01T12:00:00-", nil), ("2026-01-01T12:00:00+05:45Z", nil), ("2026-01-00", nil),
            ("2026-01-01T12:00:00+99:99", nil), ("2026-01-01T12:00:00+05:45:00", nil),
            // Times without seconds or zone.
            ("2026-11-23T15:04Z", "2026-11-23T15:04:00Z"), ("2026-11-23T15:04+01:00", "2026-11-23T14:04:00Z"),
            ("2026-11-23T15:04:05", "2026-11-23T15:04:05Z"), ("2026-11-23T15:04", "2026-11-23T15:04:00Z"),
            ("2026-11-23T15Z", nil),
            // Years beyond 1 to 9999 in UTC.
            ("9999-12-31T23:59:59-00:01", nil), ("0001-01-01T00:00:00+00:01", nil),
            ("0001-01-01", "0001-01-01T00:00:00Z"), ("1582-10-10", "1582-10-10T00:00:00Z"),
        ])
    func offsets(date: String, expected: String?) { #expect(possibleText("date('\(date)')") == expected) }

    @Test(
        "dateAdd counts time that passes: a day has 24 hours on the day of a change of clocks as well",
        arguments: [
            ("2026-03-28T12:00:00+01:00", "1d", "2026-03-29 13:00"),
            ("2026-03-28T12:00:00+01:00", "23h", "2026-03-29 12:00"),
            ("2026-10-24T12:00:00+02:00", "1d", "2026-10-25 11:00"),
            ("2026-10-25T02:30:00+02:00", "1h", "2026-10-25 02:30"),
            ("2026-03-29T03:00:00+02:00", "-1s", "2026-03-29 01:59"),
            ("2026-03-30T00:00:00+02:00", "-1d", "2026-03-28 23:00"),
        ])
    func sums(date: String, time: String, expected: String) throws {
        #expect(
            try text("dateText(dateAdd('\(date)', '\(time)'), 'yyyy-MM-dd HH:mm', 'Europe/Berlin')")
                == expected)
    }

    @Test(
        "dateAdd passes leap days and the ends of years",
        arguments: [
            ("2024-02-28", "1d", "2024-02-29T00:00:00Z"), ("2024-02-28", "2d", "2024-03-01T00:00:00Z"),
            ("2023-02-28", "1d", "2023-03-01T00:00:00Z"), ("2024-02-29", "365d", "2025-02-28T00:00:00Z"),
            ("2024-03-01", "-1d", "2024-02-29T00:00:00Z"),
            ("2026-12-31T23:59:59Z", "1s", "2027-01-01T00:00:00Z"),
            ("2027-01-01", "-1s", "2026-12-31T23:59:59Z"), ("1970-01-01", "-1s", "1969-12-31T23:59:59Z"),
            ("2016-12-31T23:59:59Z", "1s", "2017-01-01T00:00:00Z"), ("9999-12-31T23:59:59Z", "1s", nil),
            ("0001-01-01", "-1s", nil),
        ])
    func leapDays(date: String, time: String, expected: String?) {
        #expect(possibleText("dateAdd('\(date)', '\(time)')") == expected)
    }

    @Test(
        "dateDiff counts the seconds that pass",
        arguments: [
            ("2026-03-30T00:00:00+02:00", "2026-03-29T00:00:00+01:00", 82_800),
            ("2026-10-26T00:00:00+01:00", "2026-10-25T00:00:00+02:00", 90_000),
            ("2026-10-25T02:30:00+01:00", "2026-10-25T02:30:00+02:00", 3_600),
            ("2026-04-05T01:45:00+10:30", "2026-04-05T01:45:00+11:00", 1_800),
            ("2026-10-04T02:30:00+11:00", "2026-10-04T01:59:59+10:30", 1),
            ("2024-03-01", "2024-02-28", 172_800), ("1582-10-15", "1582-10-04", 950_400),
            ("2027-01-01T00:00:00+14:00", "2026-12-31T00:00:00-11:00", -3_600),
        ])
    func differences(one: String, other: String, expected: Double) throws {
        #expect(try value("dateDiff('\(one)', '\(other)')").double == expected)
        #expect(try value("dateDiff('\(other)', '\(one)')").double == -expected)
    }

    @Test("a cached date pattern of one zone isn't used for another")
    func manyZones() throws {
        let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]
        let expected = ["14:00", "08:00", "22:30", "17:45", "12:00"]
        // More patterns than are kept at once.
        for round in 0..<20 {
            let found = try zones.map { zone in
                try text(
                    "dateText('2026-07-01T12:00:00Z', '\(String(repeating: " ", count: round))HH:mm', '\(zone)')"
                )
            }
            #expect(found.map { $0.map { String($0.suffix(5)) } } == expected)
        }
    }
}

/// The zone of the process, which `TZ` sets.
@Suite("Workflow files: the zone of the process", .timeLimit(.minutes(5)))
struct ProcessZoneTests {
    private static let dates = """
        { tasks: { dates: { steps: [
          { transform: "[date('2026-10-25'), dateText('2026-10-25T00:30:00Z', 'yyyy-MM-dd HH:mm'), \
            date('25.10.2026 02:30', 'dd.MM.yyyy HH:mm'), dateAdd('2026-03-29', '1d'), \
            dateText('2026-03-29T01:00:00Z', 'HH:mm', 'Europe/Berlin'), length(now())]" },
          { save: "dates.json" } ] } } }
        """

    @Test(
        "functions of dates give the same in every zone of the process",
        arguments: ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"])
    func functions(zone: String) async throws {
        let flow = try FlowCommandRun(Self.dates)
        let result = try await Command.run(
            ["run", "flow.json5"], environment: ["TZ": zone], in: flow.folder.url, as: .process)
        #expect(result.status == 0, "\(result.errors)")
        let found = try JSON(parsing: Data(contentsOf: flow.folder.url.appending(path: "dates.json")))
        #expect(
            found.elements.map(\.description) == [
                "\"2026-10-25T00:00:00Z\"", "\"2026-10-25 00:30\"", "\"2026-10-25T02:30:00Z\"",
                "\"2026-03-30T00:00:00Z\"", "\"03:00\"", "20",
            ])
    }

    @Test("times of the log, of the report and of stored runs are in UTC in every zone of the process")
    func times() async throws {
        let flow = try FlowCommandRun("{ tasks: { one: { steps: [ { transform: \"1\" } ] } } }")
        let before = Date()
        let run = try await Command.run(
            [
                "run", "flow.json5", "--log-format", "json", "--report", "report.html", "--store",
                "test.runs", "--key", "k",
            ],
            environment: ["TZ": "Australia/Lord_Howe"], in: flow.folder.url, as: .process)
        let show = try await Command.run(
            ["runs", "show", "k", "--store", "test.runs", "--json"], environment: ["TZ": "Asia/Kathmandu"],
            in: flow.folder.url, as: .process)
        let after = Date()
        #expect(run.status == 0 && show.status == 0, "\(run.errors)\(show.errors)")
        var texts = try run.complaints.compactMap { try JSON(parsing: $0).time?.string }
        let stored = try JSON(parsing: show.data)
        texts += [stored.created?.string, stored.ended?.string, stored.since?.string].compactMap { $0 }
        let report = try flow.folder.text("report.html")
        let shown = report.matches(of: /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/).map {
            "\($0.1)T\($0.2).000Z"
        }
        #expect(texts.count >= 6 && !shown.isEmpty, "\(texts)")
        for text in texts + shown {
            let time = try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            // Texts have milliseconds, or seconds in the report.
            #expect(text.hasSuffix("Z") && time > before - 1 && time <= after, "\(text)")
        }
    }

    private func today(_ zone: String) throws -> String {
        let zone = try #require(TimeZone(identifier: zone))
        return Date().formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
    }

    @Test("DR-60: a run without a key has the local date as its key")
    func keys() async throws {
        let flow = try FlowCommandRun("{ tasks: { one: { steps: [ { transform: \"1\" } ] } } }")
        var expected: [Set<String>] = []
        // Both are never in the same day: they are 25 hours apart.
        for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago"] {
            let before = try today(zone)
            let result = try await Command.run(
                ["run", "flow.json5", "--store", "test.runs"], environment: ["TZ": zone], in: flow.folder.url,
                as: .process)
            #expect(result.status == 0, "\(result.errors)")
            // Midnight may pass meanwhile.
            expected.append([before, try today(zone)])
        }
        let list = try await flow("runs", "list", "--store", "test.runs", "--json")
        #expect(list.status == 0, "\(list.errors)")
        let keys = try JSON(parsing: list.data).elements.compactMap { $0.key?.string }
        try #require(keys.count == 2, "\(list.output)")
        #expect(expected[0].contains(keys[1]) && expected[1].contains(keys[0]), "\(keys)")
    }
}
