import Foundation
import SteplineXML
import Testing

@Suite(.timeLimit(.minutes(5))) struct FeedTests {
    @Test func `RSS is read`() throws {
        let feed = try Feed(data: try Fixture.data("feed-rss.xml"))
        #expect(feed.format == .rss && feed.title == "River News & More" && feed.language == "en-gb")
        #expect(feed.link?.absoluteString == "https://river.example/")
        #expect(feed.updated == Date(timeIntervalSince1970: 1_709_209_815))
        #expect(feed.items.count == 2)
        let item = try #require(feed.items.first)
        #expect(item.id == "https://river.example/1" && item.title == "High water")
        #expect(item.link?.absoluteString == "https://river.example/1")
        #expect(item.date == Date(timeIntervalSince1970: 1_709_206_215))
        #expect(item.summary?.html == "<p>Wet.</p>" && item.summary?.plain == "Wet." && item.author == "Ann")
        #expect(item.content?.html == "<p>Very wet.</p>")
        #expect(item.categories == ["weather", "water"])
        #expect(item.enclosures.map(\.length) == [1234])
        #expect(
            feed.items[1].title == "Not media" && feed.items[1].id == "urn:2" && feed.items[1].link == nil)
    }

    @Test func `Atom is read`() throws {
        let feed = try Feed(data: try Fixture.data("feed-atom.xml"))
        #expect(feed.format == .atom && feed.title == "Hills" && feed.author == "Bea")
        #expect(feed.link?.absoluteString == "https://hills.example/")
        let item = try #require(feed.items.first)
        #expect(item.id == "urn:uuid:1" && item.link?.absoluteString == "https://hills.example/posts/1")
        #expect(item.date == Date(timeIntervalSince1970: 1_709_206_215))
        #expect(item.updated == Date(timeIntervalSince1970: 1_709_206_215.5))
        #expect(item.content?.html == "<p>Up &amp; <b>down</b></p>" && item.content?.plain == "Up & down")
        #expect(item.categories == ["Walking", "up"] && item.author == "Bea")
        #expect(item.enclosures.first?.url.absoluteString == "https://hills.example/a.mp3")
    }

    @Test func `a quote in an attribute ends it in no HTML, whatever stands after it`() throws {
        let feed = try Feed(
            data: Data(
                """
                <rss version="2.0"><channel><item><title>t</title><description>
                <p title="a&#34;&#x301; onmouseover=&#34;go()">x</p></description></item></channel></rss>
                """.utf8))
        let html = try #require(feed.items.first?.summary?.html)
        let expected = "<p title=\"a&quot;\u{301} onmouseover=&quot;go()\">x</p>"
        #expect(html == expected)
        let page = try XML.Document(html: html)
        #expect(page.root.descendants.first { $0.name == "p" }?.attributes.map(\.name) == ["title"])
    }

    @Test func `a document of another kind isn't a feed`() throws {
        let error = #expect(throws: XMLError.self) { try Feed(data: Data("<html/>".utf8)) }
        #expect(error?.code == .noFeed && error?.line == 1)
        #expect(throws: XMLError.self) { try Feed(data: Data("<rss/>".utf8)) }
    }

    @Test(arguments: [
        ("2024-02-29T12:30:15Z", 1_709_209_815.0), ("2024-02-29T13:30:15+01:00", 1_709_209_815),
        ("2024-02-29", 1_709_164_800), ("2024-02-29T12:30:15.25Z", 1_709_209_815.25),
        ("Thu, 29 Feb 2024 12:30:15 GMT", 1_709_209_815), ("29 Feb 24 07:30:15 EST", 1_709_209_815),
        ("Thu, 29 feb 2024 12:30 +0000", 1_709_209_800), ("1969-12-31T23:59:59Z", -1),
    ])
    func `dates are read`(text: String, seconds: Double) throws {
        struct Box: Decodable { let d: Date }
        let box = try XML.Decoder().decode(Box.self, from: Data("<a d='\(text)'/>".utf8))
        #expect(box.d.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "", "2023-02-29", "2024-13-01", "yesterday", "29 Foo 2024 10:00:00 GMT", "2024-02-29T12:30:15X9",
    ])
    func `invalid dates are nil`(text: String) {
        struct Box: Decodable { let d: Date }
        #expect(throws: DecodingError.self) {
            try XML.Decoder().decode(Box.self, from: Data("<a d='\(text)'/>".utf8))
        }
    }
}
