import Foundation
import Stepline
import Testing

@Suite("XML steps: JSON Feed", .timeLimit(.minutes(5)))
struct JSONFeedTests {
    private static let source = """
        {"version": "https://jsonfeed.org/version/1.1", "title": "River", "home_page_url": "/",
         "feed_url": "https://r.example/feed.json", "description": "A feed of tests", "next_url": "?page=2",
         "icon": "icon.png", "favicon": "/f.ico", "language": "en", "expired": true, "_own": {"a": 1},
         "authors": [{"name": "Ann", "url": "https://ann.example/", "avatar": "a.png"}],
         "hubs": [{"type": "WebSub", "url": "https://hub.example/"}],
         "items": [
           {"id": 1, "url": "posts/1", "external_url": "https://o.example/", "title": "High water",
            "content_html": "<p>Wet <a href='x'>y</a></p>", "content_text": "Wet", "summary": "W",
            "image": "i.png", "banner_image": "b.png", "date_published": "2024-02-29T13:30:15+01:00",
            "date_modified": "2024-02-29T14:30:15+01:00", "tags": ["water", "weather"], "language": "de",
            "attachments": [{"url": "a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 9, "title": "A",
                             "duration_in_seconds": 61.5}]},
           {"id": "2", "content_text": "a < b", "date_published": "soon", "tags": "none",
            "author": {"name": "Bob"}}]}
        """

    @Test("a JSON Feed is read as any other feed")
    func jsonFeed() async throws {
        let loaded = try bag(
            Data(Self.source.utf8), contentType: "application/feed+json", url: "https://r.example/feed.json")
        let feed = try await FeedStep().output(of: loaded)
        #expect(
            feed.format == .json && feed.version == "1.1" && feed.title == "River" && feed.language == "en")
        #expect(feed.link?.absoluteString == "https://r.example/" && feed.summary?.plain == "A feed of tests")
        #expect(
            feed.nextPage?.absoluteString == "https://r.example/feed.json?page=2" && feed.isComplete == true)
        #expect(feed.image?.lastPathComponent == "icon.png" && feed.icon?.path == "/f.ico")
        #expect(feed.hubs.map(\.absoluteString) == ["https://hub.example/"] && feed.author == "Ann")
        #expect(feed.extensions.map(\.name) == ["_own"])
        let first = try #require(feed.items.first)
        #expect(first.id == "1" && first.link?.absoluteString == "https://r.example/posts/1")
        #expect(
            first.externalLink?.host() == "o.example" && first.content?.plain == "Wet"
                && first.summary?.plain == "W"
        )
        #expect(first.content?.html == "<p>Wet <a href='https://r.example/posts/x'>y</a></p>")
        #expect(first.date == Date(timeIntervalSince1970: 1_709_209_815) && first.language == "de")
        #expect(first.updated == Date(timeIntervalSince1970: 1_709_213_415) && first.author == "Ann")
        #expect(first.categories == ["water", "weather"] && first.images.count == 2)
        #expect(first.enclosures.first?.length == 9 && first.enclosures.first?.duration == 61.5)
        let second = feed.items[1]
        #expect(
            second.content?.plain == "a < b" && second.content?.html == "a &lt; b" && second.author == "Bob")
        #expect(second.date == nil && second.dateText == "soon" && second.categories.isEmpty)
        #expect(feed.mended.map(\.message) == ["'date_published' is no date", "'tags' is no list"])
    }
}
