import Foundation
import SteplineSupport
import SteplineXML
import TestSupport
import Testing

/// Feeds of equal meaning: other orders of elements, missing elements, entities, and other forms of one text.
@Suite("Feeds: order, missing parts and ways of writing", .timeLimit(.minutes(5)))
struct FeedVariationTests {
    private static let rssChannel = [
        "<title>River</title>", "<link>https://r.example/</link>", "<description>D</description>",
        "<language>en</language>", "<copyright>C</copyright>",
        "<managingEditor>a@r.example (Ann)</managingEditor>",
        "<webMaster>b@r.example (Bob)</webMaster>", "<pubDate>Sun, 25 Oct 2026 02:30:00 +0200</pubDate>",
        "<lastBuildDate>Sun, 25 Oct 2026 02:30:00 +0100</lastBuildDate>", "<generator>G</generator>",
        "<ttl>60</ttl>", "<image><url>https://r.example/i.png</url></image>",
        "<skipDays><day>Sunday</day></skipDays>",
        "<sy:updatePeriod>daily</sy:updatePeriod>", "<itunes:author>Cy</itunes:author>",
        "<itunes:summary>S</itunes:summary>", "<itunes:explicit>no</itunes:explicit>",
    ]
    private static let rssItem = [
        "<title>High</title>", "<link>https://r.example/1</link>", "<guid isPermaLink='false'>1</guid>",
        "<pubDate>Sun, 29 Mar 2026 01:00:00 GMT</pubDate>", "<description>Short</description>",
        "<content:encoded>&lt;p>Long&lt;/p></content:encoded>", "<author>a@r.example (Ann)</author>",
        "<category>Water</category>",
        "<enclosure url='https://r.example/a.mp3' length='9' type='audio/mpeg'/>",
        "<comments>https://r.example/1#c</comments>", "<slash:comments>3</slash:comments>",
        "<source url='https://s.example/'>S</source>", "<itunes:duration>1:00</itunes:duration>",
        "<itunes:title>High for players</itunes:title>", "<itunes:summary>For players</itunes:summary>",
        "<itunes:author>Cy</itunes:author>", "<georss:point>1 2</georss:point>",
    ]
    private static let atomFeed = [
        "<title>Hills</title>", "<subtitle>S</subtitle>", "<id>urn:f</id>",
        "<updated>2026-10-25T02:30:00+01:00</updated>",
        "<link href='https://h.example/'/>", "<author><name>Bea</name></author>", "<rights>R</rights>",
        "<generator version='1'>G</generator>", "<logo>https://h.example/l.png</logo>",
        "<icon>https://h.example/i.png</icon>",
    ]
    private static let atomEntry = [
        "<title>Up</title>", "<id>urn:1</id>", "<published>2026-03-29T01:00:00Z</published>",
        "<updated>2026-03-29T02:00:00Z</updated>", "<link href='https://h.example/1'/>",
        "<summary>Short</summary>",
        "<content type='html'>&lt;p>Long&lt;/p></content>", "<author><name>Dai</name></author>",
        "<category term='Water'/>", "<rights>R</rights>", "<source><title>S</title><id>urn:s</id></source>",
    ]

    private func rss(_ channel: [String], _ item: [String], itemFirst: Bool = false) throws -> Feed {
        let one = "<item>\(item.joined())</item>"
        let inner = itemFirst ? one + channel.joined() : channel.joined() + one
        return try feed(
            """
            <rss version="2.0" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
              xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:georss="http://www.georss.org/georss"
              xmlns:content="http://purl.org/rss/1.0/modules/content/"
              xmlns:slash="http://purl.org/rss/1.0/modules/slash/"><channel>\(inner)</channel></rss>
            """)
    }

    private func atom(_ children: [String], _ entry: [String], entryFirst: Bool = false) throws -> Feed {
        let one = "<entry>\(entry.joined())</entry>"
        let inner = entryFirst ? one + children.joined() : children.joined() + one
        return try feed("<feed xmlns=\"http://www.w3.org/2005/Atom\">\(inner)</feed>")
    }

    private func feed(_ text: String, _ options: XML.Options = .init()) throws -> Feed {
        try Feed(data: Data(text.utf8), base: FeedCaseTests.base, options: options)
    }

    @Test("the order of RSS's elements changes nothing")
    func rssOrder() throws {
        // Elements without a property stay in the order of the document.
        func sorted(_ feed: Feed) -> Feed {
            var feed = feed
            feed.extensions.sort { $0.name < $1.name }
            return feed
        }
        let expected = sorted(try rss(Self.rssChannel, Self.rssItem))
        var random = StableRandom(seed: Chance.seed)
        for round in 0..<Chance.rounds(40) {
            let (channel, item) = (
                Self.rssChannel.shuffled(using: &random), Self.rssItem.shuffled(using: &random)
            )
            let found = sorted(try rss(channel, item, itemFirst: round % 2 == 0))
            #expect(
                found == expected, "seed \(Chance.seed), round \(round): \(channel.joined()) \(item.joined())"
            )
        }
    }

    @Test("the order of Atom's elements changes nothing")
    func atomOrder() throws {
        let expected = try atom(Self.atomFeed, Self.atomEntry)
        var random = StableRandom(seed: Chance.seed)
        for round in 0..<Chance.rounds(40) {
            let (children, entry) = (
                Self.atomFeed.shuffled(using: &random), Self.atomEntry.shuffled(using: &random)
            )
            let found = try atom(children, entry, entryFirst: round % 2 == 0)
            #expect(
                found == expected,
                "seed \(Chance.seed), round \(round): \(children.joined()) \(entry.joined())")
        }
    }

    @Test("an entry of Atom 0.3 has the date of its issued element, in any order of elements")
    func issued() throws {
        func date(_ children: String) throws -> Date? {
            try feed("<feed version='0.3' xmlns='http://purl.org/atom/ns#'><entry>\(children)</entry></feed>")
                .items.first?.date
        }
        let (issued, created) = (
            "<issued>2003-12-13T00:00:00Z</issued>", "<created>2003-12-12T00:00:00Z</created>"
        )
        let expected = Date(timeIntervalSince1970: 1_071_273_600)
        #expect(try date(issued + created) == expected && date(created) == expected - 86_400)
        #expect(try date(created + issued) == expected)
    }

    /// The first part of a path in the feed's JSON.
    private func properties(_ lines: Set<String>) -> Set<Substring> {
        Set(
            lines.map { line in
                let path = line.prefix { $0 != " " }
                return path.hasPrefix("items.0.")
                    ? path.dropFirst(8).prefix { $0 != "." } : path.prefix { $0 != "." }
            })
    }

    /// The properties that each element of `rssItem` sets, and no other one does.
    private static let ownProperties: [String] = [
        "title", "link", "id", "date dateText updated", "summary", "content", "author authors",
        "categories topics",
        "enclosures", "comments", "comments", "source", "episode", "episode", "episode", "episode", "place",
    ]

    @Test("a missing element empties its own properties, and changes no other one")
    func missing() throws {
        let whole = try FeedDocumentTests.lines(try rss(Self.rssChannel, Self.rssItem))
        try #require(Self.ownProperties.count == Self.rssItem.count)
        for (place, own) in Self.ownProperties.enumerated() {
            var item = Self.rssItem
            item.remove(at: place)
            let changed = try FeedDocumentTests.lines(try rss(Self.rssChannel, item)).symmetricDifference(
                whole)
            #expect(properties(changed) == Set(own.split(separator: " ")), "\(Self.rssItem[place])")
        }
    }

    @Test("a property without its own element takes its value from the next best element")
    func fallbacks() throws {
        func item(_ children: String...) throws -> Feed.Item {
            try #require(try rss([], children).items.first)
        }
        #expect(try item("<itunes:title>T</itunes:title>").title == "T")
        #expect(try item("<itunes:summary>S</itunes:summary>").summary?.plain == "S")
        #expect(try item("<itunes:subtitle>S</itunes:subtitle>").summary?.plain == "S")
        #expect(try item("<itunes:author>A</itunes:author>").author == "A")
        #expect(try item("<guid>https://r.example/1</guid>").link?.absoluteString == "https://r.example/1")
        #expect(try item("<link>https://r.example/1</link>").id == "https://r.example/1")
        #expect(try item("<title>T</title>").id == "T")
        #expect(try item("<enclosure url='https://r.example/a'/>").id == "https://r.example/a")
        let empty = try item()
        #expect(empty == Feed.Item(id: ""))
        let entry = try #require(try atom([], ["<updated>2026-03-29T02:00:00Z</updated>"]).items.first)
        #expect(entry.date == entry.updated && entry.date != nil && entry.dateText == "2026-03-29T02:00:00Z")
        let channel = try rss(["<pubDate>Sun, 29 Mar 2026 01:00:00 GMT</pubDate>"], [])
        #expect(channel.updated == channel.published && channel.updated != nil)
    }

    @Test("empty elements leave all properties empty")
    func emptyElements() throws {
        let empty = Self.rssItem.map { element in
            let name = element.dropFirst().prefix { $0 != " " && $0 != ">" }
            return "<\(name)></\(name)>"
        }
        var item = try #require(try rss([], empty).items.first)
        // An empty element says that there is a source.
        item.source = nil
        item.comments = nil
        #expect(item == Feed.Item(id: ""))
    }

    @Test(
        "a text reads the same as a section, with references, numbers and entities of HTML",
        arguments: [
            "A &amp; B — é &lt; ü", "<![CDATA[A & B — é < ü]]>", "A <![CDATA[& B]]> — é <![CDATA[<]]> ü",
            "A &#38; B &#8212; &#xE9; &#60; &#252;", "A &amp; B &mdash; &eacute; &lt; &uuml;",
            "\n  A &amp; B — é\n  &lt; ü\n", "A <!-- not this --> &amp; B — <?nor this?>é &lt; ü",
        ])
    func entities(text: String) throws {
        let expected = "A & B — é < ü"
        let squeezed = try rss(
            ["<title>\(text)</title>"], ["<title>\(text)</title>", "<author>\(text)</author>"])
        func line(_ text: String?) -> String? {
            text?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(line(squeezed.title) == expected && line(squeezed.items.first?.title) == expected)
        #expect(line(squeezed.items.first?.author) == expected)
        let entry = try atom(
            ["<title>\(text)</title>"], ["<title>\(text)</title>", "<summary>\(text)</summary>"])
        #expect(line(entry.title) == expected && line(entry.items.first?.title) == expected)
        #expect(
            line(entry.items.first?.summary?.plain) == expected && entry.items.first?.summary?.isHTML == false
        )
    }

    @Test("entities that the document declares are read, and external ones are refused")
    func ownEntities() throws {
        let declared = "<!DOCTYPE rss [<!ENTITY river 'The &#38;#38; Elbe'>]>"
        #expect(
            try feed("\(declared)<rss version='2.0'><channel><title>&river;</title></channel></rss>").title
                == "The & Elbe")
        for declaration in [
            "<!ENTITY x SYSTEM 'file:///etc/hostname'>", "<!ENTITY x PUBLIC 'p' 'https://h.example/x'>", "",
        ] {
            let error = #expect(throws: XMLError.self) {
                try feed(
                    "<!DOCTYPE rss [\(declaration)]><rss version='2.0'><channel><title>&x;</title></channel></rss>"
                )
            }
            #expect(error?.code == .entity, "\(error as Any)")
        }
        let public091 =
            "<!DOCTYPE rss PUBLIC \"-//Netscape Communications//DTD RSS 0.91//EN\" \"http://my.netscape.com/publish/formats/rss-0.91.dtd\">"
        let old = try feed(
            "\(public091)<rss version='0.91'><channel><title>Caf&eacute;</title></channel></rss>")
        #expect(old.title == "Café" && old.version == "0.91")
    }

    @Test("a feed with an external parameter entity is read without loading it")
    func parameterEntities() throws {
        func source(_ subset: String) -> String {
            "<!DOCTYPE rss [\(subset)]><rss version='2.0'><channel><title>T</title></channel></rss>"
        }
        let declaration = "<!ENTITY % latin PUBLIC 'Latin 1' 'https://h.example/latin.ent'>"
        #expect(try feed(source(declaration)).title == "T")
        #expect(try feed(source("<!ENTITY % own '<!ELEMENT rss ANY>'> %own;")).title == "T")
        #expect(try feed(source("\(declaration) %latin;")).title == "T")
        #expect(try feed(source("<!ENTITY % e SYSTEM 'file:///etc/passwd'> %e; %e;")).title == "T")
    }

    @Test(
        "HTML and XHTML give the same content",
        arguments: [
            "<content type='html'>&lt;p>5 &amp;lt; 6&lt;/p>&lt;p>&lt;a href='x'>y&lt;/a>&lt;/p></content>",
            "<content type='html'><![CDATA[<p>5 &lt; 6</p><p><a href='x'>y</a></p>]]></content>",
            "<content type='text/html'>&lt;p>5 &amp;lt; 6&lt;/p>&lt;p>&lt;a href='x'>y&lt;/a>&lt;/p></content>",
            "<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><p>5 &lt; 6</p><p><a href='x'>y</a></p></div></content>",
            "<content type='xhtml'><h:div xmlns:h='http://www.w3.org/1999/xhtml'><h:p>5 &lt; 6</h:p><h:p><h:a href='x'>y</h:a></h:p></h:div></content>",
        ])
    func content(element: String) throws {
        let content = try #require(try atom([], [element]).items.first?.content)
        #expect(content.isHTML && content.plain == "5 < 6\ny")
        let html = content.html.replacing("\"", with: "'")
        #expect(html == "<p>5 &lt; 6</p><p><a href='https://feeds.example/dir/x'>y</a></p>")
    }

    @Test("a text construct of type text keeps what looks like markup")
    func plainText() throws {
        let item = try #require(
            try atom(
                [],
                ["<title>&lt;b>A&lt;/b></title>", "<summary type='text'>&lt;b>A&lt;/b> &amp;amp;</summary>"]
            ).items.first)
        #expect(
            item.title == "<b>A</b>" && item.titleMarkup == nil && item.summary?.plain == "<b>A</b> &amp;")
        #expect(item.summary?.isHTML == false && item.summary?.html == "&lt;b&gt;A&lt;/b&gt; &amp;amp;")
    }

    @Test("a text construct without a type keeps its markup")
    func untypedMarkup() throws {
        let item = try #require(
            try atom(
                [],
                [
                    "<title>A <b xmlns='http://www.w3.org/1999/xhtml'>b</b></title>",
                    "<summary>C <b xmlns='http://www.w3.org/1999/xhtml'>d</b></summary>",
                ]
            ).items.first)
        #expect(item.titleMarkup == "A <b>b</b>")
        #expect(item.summary?.html == "C <b>d</b>")
        #expect(item.title == "A b" && item.summary?.plain == "C d")
    }

    @Test("Base64 of Atom 0.3 is decoded in titles and summaries as in content")
    func base64() throws {
        let found = try feed(
            """
            <feed version="0.3" xmlns="http://purl.org/atom/ns#"><title mode="base64" type="text/html">PGI+SGlsbHM8L2I+</title>
            <entry><title mode="base64">VXA=</title><summary mode="base64">U2hvcnQ=</summary>
            <content mode="base64" type="text/plain">TG9uZw==</content></entry></feed>
            """)
        let item = try #require(found.items.first)
        #expect(found.title == "Hills" && item.content?.plain == "Long")
        #expect(item.title == "Up")
        #expect(item.summary?.plain == "Short")
    }

    @Test("a relative xml:base is resolved against the outer one, and an absolute one replaces it")
    func bases() throws {
        let found = try feed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="/a/"><link href="1"/>
            <entry xml:base="b/"><link href="2"/><content type="html" xml:base="c/">&lt;img src="3">&lt;img src="/4"></content>
            <author><name>N</name><uri xml:base="d/">5</uri></author></entry>
            <entry xml:base="https://o.example/e/"><link href="6"/><link rel="related" href="//p.example/7"/></entry>
            <entry><link href="8"/><link rel="via" href="?q=9"/><link rel="self" href="#10"/></entry></feed>
            """)
        #expect(found.link?.absoluteString == "https://feeds.example/a/1")
        try #require(found.items.count == 3)
        #expect(found.items[0].link?.absoluteString == "https://feeds.example/a/b/2")
        #expect(
            found.items[0].content?.html
                == "<img src=\"https://feeds.example/a/b/c/3\"><img src=\"https://feeds.example/4\">")
        #expect(found.items[0].authors.first?.url?.absoluteString == "https://feeds.example/a/b/d/5")
        #expect(
            found.items[1].links.map(\.url.absoluteString) == [
                "https://o.example/e/6", "https://p.example/7",
            ])
        #expect(
            found.items[2].links.map(\.url.absoluteString) == [
                "https://feeds.example/a/8", "https://feeds.example/a/?q=9", "https://feeds.example/a/#10",
            ])
    }

    @Test(
        "a document of another kind is refused as noFeed, and the error names kind and line",
        arguments: [
            ("<html><body/></html>", "HTML"), ("<!DOCTYPE html><p>x<br></p>", "HTML"),
            ("<opml version='2.0'><body/></opml>", "list of feeds"),
            ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>", "map"),
            ("<svg xmlns='http://www.w3.org/2000/svg'/>", "picture"),
            ("<html/>", "HTML"), ("<rss/>", "no channel"),
            ("<rss version='2.0'/>", "no channel"), ("<feed xmlns='urn:other'/>", "urn:other"),
            ("<title>x</title>", "title"),
            ("{\"version\": \"https://jsonfeed.org/version/1.1\"}", "JSON"), ("[1]", "JSON"),
        ])
    func noFeed(text: String, words: String) {
        let error = #expect(throws: XMLError.self) { try feed(text) }
        #expect(error?.code == .noFeed && error?.line == 1, "\(error as Any)")
        #expect(error?.message.contains(words) == true, "\(error as Any)")
    }

    @Test(
        "a malformed feed is refused with code and line, and a lenient parser reads it",
        arguments: [
            ("<rss version='2.0'><channel>\n<title>A</titel></channel></rss>", XMLError.Code.malformed, 2),
            ("<rss version='2.0'><channel>\n<title>A & B</title></channel></rss>", .malformed, 2),
            ("<rss version='2.0'><channel>\n<title>A\u{1}</title></channel></rss>", .malformed, 2),
            ("<rss version='2.0'><channel>\n<title>A</title>", .truncated, 2),
            ("<rss version='2.0'><channel>\n<title a='1' a='2'>A</title></channel></rss>", .malformed, 2),
        ])
    func malformed(text: String, code: XMLError.Code, line: Int) throws {
        let error = #expect(throws: XMLError.self) { try feed(text) }
        #expect(error?.code == code && error?.line == line, "\(error as Any)")
        var options = XML.Options()
        options.isLenient = true
        let mended = try feed(text, options)
        #expect(mended.title?.hasPrefix("A") == true && mended.mended.isEmpty == false)
    }

    @Test("an unbound prefix is mended, and other faults of the document are refused")
    func unboundPrefix() throws {
        func code(_ text: String) -> XMLError.Code? {
            do throws(XMLError) { _ = try Feed(data: Data(text.utf8)) } catch { return error.code }
            return nil
        }
        let start = "<rss version='2.0'><channel><title>A</title><itunes:author>Ann</itunes:author>"
        #expect(code("\(start)</channel></rss>") == nil)
        let codes = ["</channel>", "<link>x</lnk></channel></rss>", "<title>A & B</title></channel></rss>"]
            .map { code(start + $0) }
        #expect(codes == [.truncated, .malformed, .malformed])
        let cut = code("<rss version='2.0' xmlns:dc='urn:dc'><channel><dc:title>A</dc:")
        #expect(cut == .truncated)
    }

    @Test("a place of an episode is read with the parameters of its geo URI")
    func places() throws {
        func place(_ geo: String) throws -> Feed.Place? {
            try feed(
                """
                <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><item>
                <podcast:location geo="\(geo)">Dresden</podcast:location></item></channel></rss>
                """
            ).items.first?.place
        }
        let expected = Feed.Place(latitude: 51.05, longitude: -13.74, name: "Dresden")
        #expect(try place("geo:51.05,-13.74") == expected)
        #expect(
            try place("geo:here") == Feed.Place(name: "Dresden")
                && place("geo:91,0") == Feed.Place(name: "Dresden"))
        for geo in ["geo:51.05,-13.74;u=100", "geo:51.05,-13.74,113", "geo:51.05,-13.74;crs=wgs84"] {
            #expect(try place(geo) == expected, "\(geo)")
        }
        #expect(try place("geo:51.05,-13.74;crs=moon") == Feed.Place(name: "Dresden"))
    }

    @Test("bytes that violate the encoding are refused, and a lenient parser reads them")
    func encodingFaults() throws {
        let bytes =
            Data("<rss version='2.0'><channel><title>A ".utf8) + Data([0xFC, 0xFF])
            + Data("</title></channel></rss>".utf8)
        let error = #expect(throws: XMLError.self) { try Feed(data: bytes) }
        #expect(error?.code == .encoding)
        var options = XML.Options()
        options.isLenient = true
        let feed = try Feed(data: bytes, options: options)
        #expect(feed.title?.hasPrefix("A") == true && !feed.mended.isEmpty)
        for empty in ["", " \n"] {
            let error = #expect(throws: XMLError.self) { try Feed(data: Data(empty.utf8)) }
            #expect(error?.code == .empty)
        }
    }

    @Test(
        "an unbound prefix, blanks before the declaration and named characters are mended always, and listed")
    func mendedAlways() throws {
        let found = try feed(
            "\n <?xml version='1.0'?><rss version='2.0'><channel><title>Caf&eacute;</title><itunes:author>Ann</itunes:author></channel></rss>"
        )
        #expect(found.title == "Café" && found.podcast?.author == "Ann" && found.mended.count >= 2)
        #expect(found.mended.first?.line == 1)
    }

    @Test("a feed over the maximum size is refused")
    func limits() {
        var options = XML.Options()
        options.maximumSize = 100
        let text =
            "<rss version='2.0'><channel><title>\(String(repeating: "a", count: 100))</title></channel></rss>"
        let error = #expect(throws: XMLError.self) { try feed(text, options) }
        #expect(error?.code == .limit)
    }
}
