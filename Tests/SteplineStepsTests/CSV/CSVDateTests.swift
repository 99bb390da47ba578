import Foundation
import Stepline
import Testing

/// Dates in CSV are ISO 8601, whatever zone the process is in.
@Suite("CSV: dates and zones", .timeLimit(.minutes(5)))
struct CSVDateTests {
    private struct Row: Codable, Hashable, Sendable {
        var when: Date
        var ended: Date?
    }

    private func rows(_ text: String) async throws -> [Row] {
        try await CSVParseStep(as: Row.self).output(of: bag(text))
    }

    @Test(
        "both readings of an hour that comes twice, odd offsets, leap days and ends of years are kept apart")
    func instants() async throws {
        let text = """
            when,ended
            2026-10-25T02:30:00+02:00,2026-10-25T02:30:00+01:00
            2026-04-05T01:45:00+11:00,2026-04-05T01:45:00+10:30
            2026-03-29T12:00:00+05:45,2026-03-29T12:00:00-00:00
            2024-02-29T23:59:59Z,
            2026-12-31T23:30:00-01:00,2027-01-01T00:30:00+01:00
            """
        let rows = try await rows(text)
        let seconds = rows.map { [$0.when.timeIntervalSince1970, $0.ended?.timeIntervalSince1970] }
        #expect(
            seconds == [
                [1_792_888_200, 1_792_891_800], [1_775_313_900, 1_775_315_700],
                [1_774_764_900, 1_774_785_600],
                [1_709_251_199, nil], [1_798_763_400, 1_798_759_800],
            ])
    }

    @Test("dates are written in UTC, and come back as the same instants")
    func roundTrip() async throws {
        let changes = [
            1_774_746_000.0, 1_792_890_000, 1_772_953_200, 1_793_512_800, 1_791_041_400, 1_775_314_800,
        ]
        let rows = changes.flatMap { change in
            [-1.0, 0, 0.25, 1_800].map { Row(when: Date(timeIntervalSince1970: change + $0), ended: nil) }
        }
        var content = Content()
        content.bodyObject = rows
        try await Files.withFile("") { file in
            _ = try await CSVSaveStep<Row>(file).output(of: content)
            #expect(try await CSVParseStep(file, as: Row.self).output(of: Content()) == rows)
            let written = try String(contentsOf: file, encoding: .utf8)
            #expect(written.contains("\r\n2026-03-29T01:00:00Z,\r\n") && !written.contains("+"))
        }
    }

    @Test(
        "a text that is no date is refused with its field",
        arguments: [
            "2026-03-29 12:00", "29.03.2026", "Sun, 29 Mar 2026 12:00:00 GMT", "1774785600", "now",
            "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        ])
    func refused(text: String) async throws {
        let step = try await CSVParseStep(as: Row.self).failure(on: bag("when,ended\n\"\(text)\",\n"))
        let error = try #require(step.error as? CSVError)
        #expect(error.code == .wrongValue && error.field == "when" && error.line == 2)
    }
}
