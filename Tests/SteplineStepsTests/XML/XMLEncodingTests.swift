import Foundation
import Stepline
import Testing

@Suite("XML steps: encodings", .timeLimit(.minutes(5)))
struct XMLEncodingTests {
    private static func bytes(_ text: String, _ encoding: String.Encoding) throws -> Data {
        try #require(text.data(using: encoding))
    }

    @Test("PL-98: a mark wins over the response, that over the declaration, and without all it is UTF-8")
    func order() async throws {
        func text(_ data: Data, _ contentType: String?) async throws -> String {
            try await XMLParseStep().output(of: bag(data, contentType: contentType)).root.text
        }
        let marked = try Data([0xEF, 0xBB, 0xBF]) + Self.bytes("<a>é</a>", .utf8)
        #expect(try await text(marked, "text/xml; charset=iso-8859-1") == "é")
        let declared = "<?xml version='1.0' encoding='UTF-8'?><a>é</a>"
        #expect(try await text(Self.bytes(declared, .isoLatin1), "text/xml; charset=\"ISO-8859-1\"") == "é")
        #expect(try await text(Self.bytes(declared, .utf8), "text/xml") == "é")
        let latin = "<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>"
        #expect(try await text(Self.bytes(latin, .isoLatin1), "text/xml") == "é")
        #expect(try await text(Self.bytes("<a>é</a>", .utf8), nil) == "é")
    }

    @Test("PL-98: a charset in the options wins over the response's, in every step")
    func options() async throws {
        var options = XML.Options()
        options.charset = "windows-1252"
        var streaming = XML.Options.streaming
        streaming.charset = options.charset
        let bag = try bag(
            Self.bytes("<rss><channel><title>€</title></channel></rss>", .windowsCP1252),
            contentType: "text/xml; charset=utf-8")
        #expect(try await XMLParseStep(options: options).copysOutput(of: bag).root.text == "€")
        #expect(try await HTMLParseStep(options: options).copysOutput(of: bag).root.text == "€")
        #expect(try await FeedStep(options: options).copysOutput(of: bag).title == "€")
        let decode = XMLDecodeStep<String>(at: "//title", options: options)
        #expect(try await decode.copysOutput(of: bag) == "€")
        let records = XMLRecordsStep(of: "title", options: streaming) { $0.text }
        #expect(try await records.copysOutput(of: bag) == ["€"])
    }

    @Test("PL-98: every step that reads bytes heeds the response's charset")
    func response() async throws {
        let latin = try Self.bytes("<rss><channel><title>é</title></channel></rss>", .isoLatin1)
        let bag = try bag(latin, contentType: "text/xml; charset=ISO-8859-1")
        #expect(try await XMLParseStep().output(of: bag).root.text == "é")
        #expect(try await XMLDecodeStep<String>(at: "//title").output(of: bag) == "é")
        #expect(try await XMLRecordsStep(of: "title") { $0.text }.output(of: bag) == ["é"])
        #expect(try await FeedStep().output(of: bag).title == "é")
        let count = try await XMLEachRecordStep<Data>(of: "title") { #expect($0.text == "é") }.output(of: bag)
        #expect(count == 1)
    }

    @Test("PL-103: a page's charset is the response's, else that of meta")
    func pages() async throws {
        let page = "<html><head><meta charset='utf-8'><title>é</title>"
        let response = "text/html; charset=iso-8859-1"
        let byResponse = try bag(Self.bytes(page, .isoLatin1), contentType: response)
        #expect(try await HTMLParseStep().output(of: byResponse).query(.string("//title")) == "é")
        let latin = page.replacing("utf-8", with: "iso-8859-1")
        let byMeta = try bag(Self.bytes(latin, .isoLatin1), contentType: "text/html")
        #expect(try await HTMLParseStep().output(of: byMeta).query(.string("//title")) == "é")
    }
}
