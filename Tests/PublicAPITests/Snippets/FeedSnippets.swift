import Foundation
import Stepline
import SteplineTesting
import Testing

// The snippets of "Reading feeds" and "From XMLCoder", compiled.

func newest(of addresses: [URL], count: Int = 20) async -> [String] {
    let feeds = await withTaskGroup(of: Feed?.self, returning: [Feed].self) { group in
        for address in addresses {
            group.addTask {
                try? await Pipeline.run {
                    URLLoadStep(address)
                    FeedStep()
                }
            }
        }
        return await group.reduce(into: []) { if let feed = $1 { $0.append(feed) } }
    }
    let items = feeds.flatMap { feed in feed.items.map { (feed, $0) } }
        .sorted { ($0.1.date ?? .distantPast) > ($1.1.date ?? .distantPast) }
    return items.prefix(count).map { feed, item in
        var lines = ["\(item.title ?? "Untitled") (\(feed.title ?? "no title"))"]
        if let author = item.author { lines.append("by \(author)") }
        if let date = item.date { lines.append(date.formatted(.iso8601)) }
        if let text = item.summary ?? item.content { lines.append(String(text.plain.prefix(200))) }
        for file in item.enclosures { lines.append("+ \(file.url.absoluteString)") }
        if let link = item.link { lines.append(link.absoluteString) }
        return lines.joined(separator: "\n")
    }
}

struct Book: Decodable {
    let id: Int
    let title: String
    let authors: [String]
    let price: Decimal?

    enum CodingKeys: String, CodingKey {
        case id = "@id"
        case title
        case authors = "authors/author"
        case price
    }
}

@Suite("Snippets: feeds", .timeLimit(.minutes(5)))
struct FeedSnippets {
    @Test("a feed reader in thirty lines")
    func reader() async throws {
        let server = try LoopbackServer()
        server.route(
            "/rss",
            .text(
                """
                <rss version='2.0'><channel><title>River</title><item><title>High water</title><link>/1</link>
                <pubDate>Thu, 29 Feb 2024 12:30:15 GMT</pubDate><description>&lt;p>Wet.&lt;/p></description>
                </item></channel></rss>
                """))
        server.route(
            "/json",
            .text(
                """
                {"version": "https://jsonfeed.org/version/1.1", "title": "Hills", "items": [{"id": "1", "title": "Up",
                "date_published": "2024-03-01T00:00:00Z", "authors": [{"name": "Bea"}]}]}
                """))
        let lines = await newest(of: [server.url("/rss"), server.url("/json"), server.url("/gone")])
        #expect(
            lines == [
                "Up (Hills)\nby Bea\n2024-03-01T00:00:00Z",
                "High water (River)\n2024-02-29T12:30:15Z\nWet.\n\(server.url("/1"))",
            ])
    }

    @Test("texts, and what was mended")
    func texts() throws {
        let data = Data(
            "<rss><channel><item><description>a & &lt;b>b&lt;/b></description></item></channel></rss>".utf8)
        let address = URL(string: "https://a.example/")
        var options = XML.Options()
        options.isLenient = true
        let feed = try Feed(data: data, base: address, options: options)
        for mend in feed.mended { print(mend) }

        let item = feed.items[0]
        let page = item.summary?.html ?? ""
        #expect(page == "a & <b>b</b>" && feed.mended.count == 1)
        contents(of: item)
    }

    private func contents(of item: Feed.Item) {
        let page = item.content?.html ?? ""
        let preview = item.content?.plain ?? ""
        #expect(page.isEmpty && preview.isEmpty)
    }

    @Test("a decoder")
    func decoder() throws {
        let data = Data(
            "<b><book id='1'><title> T </title><authors><author>A</author></authors></book></b>".utf8)
        let decoder = XML.Decoder()
        let books = try decoder.decode([Book].self, from: data)
        #expect(books.map(\.title) == ["T"] && books[0].authors == ["A"] && books[0].price == nil)
    }
}
