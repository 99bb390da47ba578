import Foundation
import Stepline
import Testing

/// Feeds of any format: `Feed(reading:)`, and JSON Feed with missing and unusual members (Feeds.md).
@Suite("Feeds of any format", .timeLimit(.minutes(5)))
struct FeedReadingTests {
    private static let base = URL(string: "https://feeds.example/dir/feed")

    private func feed(_ text: String, _ options: XML.Options = .init()) throws -> Feed {
        try Feed(reading: Data(text.utf8), base: Self.base, options: options)
    }

    private func json(_ members: String, items: String = "") throws -> Feed {
        try feed("{\"version\": \"https://jsonfeed.org/version/1.1\", \(members) \"items\": [\(items)]}")
    }

    private func item(_ members: String) throws -> Feed.Item {
        try #require(try json("", items: "{\(members)}").items.first)
    }

    @Test(
        "the first sign behind a byte order mark and blanks decides on the format",
        arguments: ["", "\u{FEFF}", "\u{FEFF}\r\n\t ", " \n"])
    func formats(start: String) throws {
        #expect(
            try feed(start + "<rss version='2.0'><channel><title>T</title></channel></rss>").format == .rss)
        #expect(
            try feed(start + "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title></feed>").format
                == .atom)
        let found = try feed(start + "{\"version\": \"https://jsonfeed.org/version/1\", \"title\": \"T\"}")
        #expect(found.format == .json && found.version == "1" && found.title == "T" && found.mended.isEmpty)
    }

    @Test("bytes of another kind are refused with the error of their format")
    func refused() throws {
        for text in [
            "{}", "{\"version\": \"1\"}", "{\"version\": \"2.0\"}", " {\"version\": 1}", "<html/>", "[]",
            "text", "",
        ] {
            let error = #expect(throws: XMLError.self, "\(text)") { try feed(text) }
            #expect(error?.code == .noFeed || !text.contains("{"), "\(text)")
        }
        for text in [
            "{", "{\"version\"", "{\"version\": \"https://jsonfeed.org/version/1.1\",}", "{\"version\": 'x'}",
        ] {
            #expect(throws: JSONError.self, "\(text)") { try feed(text) }
        }
        var options = XML.Options()
        options.maximumSize = 40
        #expect(throws: JSONError.self) {
            try feed("{\"version\": \"https://jsonfeed.org/version/1.1\"}", options)
        }
    }

    @Test(
        "a member that isn't of its type is left out and listed, and the others are read",
        arguments: [
            "title", "home_page_url", "feed_url", "description", "icon", "favicon", "language", "expired",
            "authors", "hubs",
            "next_url",
        ])
    func wrongTypes(member: String) throws {
        let whole: [(name: String, value: String)] = [
            ("title", "\"T\""), ("home_page_url", "\"/\""), ("feed_url", "\"/f\""), ("description", "\"D\""),
            ("icon", "\"/i\""), ("favicon", "\"/v\""), ("language", "\"en\""), ("expired", "true"),
            ("authors", "[{\"name\": \"A\"}]"), ("hubs", "[{\"url\": \"https://hub.example/\"}]"),
            ("next_url", "\"/n\""),
        ]
        func feed(_ value: String?) throws -> Feed {
            try json(
                whole.compactMap { name, usual in
                    let value = name == member ? value : usual
                    return value.map { "\"\(name)\": \($0)," }
                }.joined())
        }
        var wrong = try feed("{\"a\": 1}")
        let (without, null) = (try feed(nil), try feed("null"))
        #expect(!wrong.mended.isEmpty && wrong.mended.allSatisfy { $0.message.contains("'\(member)'") })
        wrong.mended = []
        #expect(wrong == without && null == without && without.mended.isEmpty)
    }

    @Test("authors are those of version 1.1, of version 1, or of the feed")
    func authors() throws {
        #expect(try json("\"author\": {\"name\": \"A\"},").author == "A")
        let both = try json(
            "\"author\": {\"name\": \"A\"}, \"authors\": [{\"name\": \"A\"}, {\"name\": \"B\"}],")
        #expect(both.authors.map(\.name) == ["A", "B"])
        let inherited = try json(
            "\"authors\": [{\"name\": \"A\"}],",
            items: "{\"id\": \"1\"}, {\"id\": \"2\", \"author\": {\"name\": \"B\"}}")
        #expect(inherited.items.map(\.author) == ["A", "B"])
    }

    @Test("links are relative to the feed, and those in a text to its item")
    func links() throws {
        let item = try item(
            """
            "id": "1", "url": "posts/1/", "external_url": "//o.example/x", "image": "/i.png", "banner_image": "?b",
            "content_html": "<a href='more'>m</a><img src=/p.png>", "attachments": [{"url": "a.mp3", "mime_type": "audio/mpeg"}]
            """)
        #expect(item.link?.absoluteString == "https://feeds.example/dir/posts/1/")
        #expect(item.externalLink?.absoluteString == "https://o.example/x")
        #expect(
            item.images.map(\.url.absoluteString) == [
                "https://feeds.example/i.png", "https://feeds.example/dir/feed?b",
            ])
        #expect(
            item.content?.html
                == "<a href='https://feeds.example/dir/posts/1/more'>m</a><img src=https://feeds.example/p.png>"
        )
        #expect(item.enclosures.first?.url.absoluteString == "https://feeds.example/dir/a.mp3")
    }

    @Test("texts without markup stay as they are, and HTML is had both ways")
    func texts() throws {
        let plain = try item("\"id\": \"1\", \"content_text\": \"a < b & <i>c</i>\", \"summary\": \"<b>\"")
        #expect(
            plain.content?.plain == "a < b & <i>c</i>" && plain.content?.isHTML == false
                && plain.summary?.plain == "<b>")
        #expect(plain.content?.html == "a &lt; b &amp; &lt;i&gt;c&lt;/i&gt;")
        let html = try item("\"id\": \"1\", \"content_html\": \"<p>a &lt; b</p>\"")
        #expect(html.content?.plain == "a < b" && html.content?.isHTML == true)
        #expect(try item("\"id\": \"1\"").content == nil)
    }

    @Test("dates have their offset; one that isn't understood stays as text and is listed")
    func dates() throws {
        let both = try item(
            "\"id\": \"1\", \"date_published\": \"2026-10-25T02:30:00+02:00\", \"date_modified\": \"2026-10-25T02:30:00+01:00\""
        )
        #expect(
            both.date == Date(timeIntervalSince1970: 1_792_888_200)
                && both.dateText == "2026-10-25T02:30:00+02:00")
        #expect(both.updated == Date(timeIntervalSince1970: 1_792_891_800))
        let changed = try item("\"id\": \"1\", \"date_modified\": \"2026-03-29T12:00:00+05:45\"")
        #expect(changed.date == Date(timeIntervalSince1970: 1_774_764_900) && changed.date == changed.updated)
        let feed = try json("", items: "{\"id\": \"1\", \"date_published\": \"2026-02-30\"}")
        #expect(
            feed.items.first?.date == nil && feed.items.first?.dateText == "2026-02-30"
                && feed.mended.count == 1)
    }

    @Test("an item is known by its identifier, also a number, or else by its link or title")
    func identifiers() throws {
        #expect(try item("\"id\": 17").id == "17" && item("\"id\": \" x \"").id == "x")
        #expect(try item("\"url\": \"https://a.example/\"").id == "https://a.example/")
        #expect(try item("\"title\": \"T\"").id == "T" && item("").id == "")
    }

    @Test("a step reads a feed as the function does, with the address of the response as base")
    func step() async throws {
        let text = "{\"version\": \"https://jsonfeed.org/version/1.1\", \"home_page_url\": \"x\"}"
        let loaded = try bag(
            Data(text.utf8), contentType: "application/feed+json", url: "https://r.example/a/b")
        #expect(try await FeedStep().output(of: loaded).link?.absoluteString == "https://r.example/a/x")
        #expect(
            try await FeedStep(base: Self.base).output(of: loaded).link?.absoluteString
                == "https://feeds.example/dir/x")
        #expect(try await FeedStep().output(of: bag(text)).link == (try Feed(reading: Data(text.utf8)).link))
    }
}
