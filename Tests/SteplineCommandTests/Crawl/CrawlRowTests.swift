import Foundation
import SteplineJSON
import Testing

@testable import SteplineCommand

@Suite("The stored form of a crawl's rows", .timeLimit(.minutes(1)))
struct CrawlRowTests {
    @Test(
        "the bytes are those of a JSON encoder, and are read back as an equal row",
        arguments: [nil, [], [nil], ["a", nil, #"b"c\d"#], ["\n\u{0}", "ü\u{1F600}"]] as [[String?]?])
    func stored(values: [String?]?) throws {
        let row = CrawlRow(url: "https://example.com/?a=%22", values: values)
        let bytes = try row.jsonBytes()
        let found = try JSONDecoder().decode(CrawlRow.self, from: bytes)
        #expect(found.url == row.url && found.values == values)
        #expect(try JSON(parsing: bytes) == JSON(parsing: JSONEncoder().encode(row)))
    }
}
