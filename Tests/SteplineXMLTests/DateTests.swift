import Foundation
import SteplineXML
import Testing

/// Dates as they are found in feeds: each line of `Fixtures/feeds/dates.txt` is an instant, a tab, and a text.
@Suite(.timeLimit(.minutes(5))) struct DateTests {
    private struct Box: Decodable { let d: Date }

    private func read(_ text: String) -> Date? {
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
            "\"", with: "&quot;")
        return try? XML.Decoder().decode(Box.self, from: Data("<a d=\"\(escaped)\"/>".utf8)).d
    }

    @Test func `dates as people write them are read, and never as a wrong instant`() throws {
        let table = try Fixture.feedData("dates.txt")
        var count = 0
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            try #require(parts.count == 2, "\(line)")
            let expected = parts[0] == "-" ? nil : Self.instant(parts[0])
            #expect(parts[0] == "-" || expected != nil, "a bad line: \(line)")
            let found = read(parts[1])
            #expect(found == expected, "'\(parts[1])' is \(found.map(\.description) ?? "nil")")
            count += 1
        }
        #expect(count >= 100)
    }

    /// `yyyy-MM-ddTHH:mm:ss.fffZ`, by way of Foundation, so that the table isn't read by what it tests.
    private static func instant(_ text: String) -> Date? {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        return try? Date(text, strategy: style)
    }
}
