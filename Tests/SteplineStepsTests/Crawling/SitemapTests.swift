import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Sitemaps", .timeLimit(.minutes(5)))
struct SitemapTests {
    let url = URL(string: "https://site.example/map.xml")!

    private func sitemap(_ text: String) throws -> Sitemap { try Sitemap(data: Data(text.utf8), at: url) }

    private let pages = """
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
            xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
        <url><loc> https://site.example/a?x=1&amp;y=2 </loc><lastmod>2026-01-01</lastmod>
        <image:image><image:loc>https://site.example/i.png</image:loc></image:image></url>
        <url><loc>/relative</loc></url><url><loc>https://site.example/b</loc></url>
        </urlset>
        """

    @Test("a sitemap has the absolute addresses of its pages")
    func urlset() throws {
        let map = try sitemap(pages)
        #expect(
            map.pages.map(\.absoluteString) == ["https://site.example/a?x=1&y=2", "https://site.example/b"])
        #expect(map.sitemaps.isEmpty)
    }

    @Test("an index has the addresses of its sitemaps, and a text one address a line")
    func indexAndText() throws {
        let index = try sitemap(
            "<sitemapindex><sitemap><loc>https://site.example/1.xml.gz</loc></sitemap></sitemapindex>")
        #expect(
            index.pages.isEmpty && index.sitemaps.map(\.absoluteString) == ["https://site.example/1.xml.gz"])
        let text = try sitemap("\u{FEFF}https://site.example/a\r\n\nno address\nhttps://site.example/b")
        #expect(text.pages.map(\.path) == ["/a", "/b"])
        #expect(try sitemap("").pages.isEmpty)
    }

    @Test("a damaged file is an error that names it")
    func damaged() throws {
        let error = #expect(throws: CrawlError.self) { try sitemap("<urlset><url><loc>https://a") }
        #expect(error?.code == .sitemap && error?.url == url && error?.underlying is XMLError)
    }

    @Test("addresses and lines beyond the limit are omitted")
    func limit() throws {
        let line = "https://site.example/a\n"
        let lines = String(repeating: line, count: Sitemap.maximumCount + 1)
        #expect(try sitemap(lines).pages.count == Sitemap.maximumCount)
        let others = String(repeating: "a\r\n", count: Sitemap.maximumCount - 1)
        #expect(try sitemap(others + line + line).pages.count == 1)
        #expect(try sitemap(line + String(repeating: " ", count: 10_000) + line + line).pages.count == 2)
        let entry = "<url><loc>https://site.example/a</loc></url>"
        let map = "<urlset>" + String(repeating: entry, count: Sitemap.maximumCount + 1) + "</urlset>"
        #expect(try sitemap(map).pages.count == Sitemap.maximumCount)
    }

    @Test("a file in UTF-16 is read as XML")
    func utf16() throws {
        let text = "<urlset><url><loc>https://site.example/a</loc></url></urlset>"
        let forms: [(mark: [UInt8], encoding: String.Encoding)] = [
            ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
        ]
        for form in forms {
            let body = try #require(text.data(using: form.encoding))
            #expect(try Sitemap(data: Data(form.mark) + body, at: url).pages.map(\.path) == ["/a"])
        }
    }

    @Test("reading ends when its task is cancelled", arguments: ["https://a.example/", "<urlset/>"])
    func cancelled(text: String) async throws {
        let task = Task { [url] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try Sitemap(data: Data(text.utf8), at: url)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    #if os(Linux)
        @Test("a packed file is unpacked; a cut one is an error")
        func packed() throws {
            let packed = storedGzip(Data(pages.utf8))
            #expect(try Sitemap(data: packed, at: url).pages.count == 2)
            #expect(throws: CrawlError.self) { try Sitemap(data: packed.dropLast(20), at: url) }
            #expect(throws: CrawlError.self) { try Sitemap(data: Data([0x1F, 0x8B, 9, 9]), at: url) }
        }
    #endif
}
