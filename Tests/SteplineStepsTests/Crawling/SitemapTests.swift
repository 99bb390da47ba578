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

    @Test("more addresses than the limit are an error")
    func limit() throws {
        let line = "https://site.example/a\n"
        #expect(
            try sitemap(String(repeating: line, count: Sitemap.maximumCount)).pages.count
                == Sitemap.maximumCount)
        #expect(throws: CrawlError.self) {
            try sitemap(String(repeating: line, count: Sitemap.maximumCount + 1))
        }
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
