import Foundation
import SteplineXML

/// Feeds made by a grammar, under a time limit; what is read comes back from its JSON.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var choices = Choices(start, count)
    var options = XML.Options()
    options.isLenient = choices.choice(2) == 0
    choices.feed()
    let data = Data(choices.text)
    within(seconds: 5, "a feed") {
        guard let feed = try? Feed(data: data, base: URL(string: "https://a.example/b/"), options: options)
        else {
            return
        }
        guard let json = try? JSONEncoder().encode(feed),
            let again = try? JSONDecoder().decode(Feed.self, from: json)
        else { fatalError("a feed doesn't come back from its JSON") }
        precondition(again.items.count == feed.items.count)
    }
    return 0
}

extension Choices {
    private static let names = [
        "title", "link", "description", "pubDate", "guid", "category", "enclosure", "author", "source",
        "image", "url",
        "id", "updated", "published", "summary", "content", "entry", "item", "generator", "ttl", "skipHours",
        "hour",
        "content:encoded", "dc:date", "dc:creator", "dc:subject", "itunes:duration", "itunes:image",
        "itunes:category",
        "itunes:owner", "media:content", "media:group", "media:thumbnail", "media:title", "podcast:person",
        "podcast:soundbite", "podcast:location", "georss:point", "geo:lat", "slash:comments",
        "sy:updatePeriod",
        "atom:link", "x:unknown", "unbound:y", "TITLE", "xhtml:body",
    ]

    fileprivate mutating func feed() {
        put(oneOf: [
            "", "\n ", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='iso-8859-1'?>", "\u{FEFF}",
        ])
        put(oneOf: ["", "", "<!DOCTYPE rss [<!ENTITY e '<title>t</title>'>]>"])
        let kind = choice(4)
        put(
            [
                "<rss version='2.0'", "<feed xmlns='http://www.w3.org/2005/Atom'",
                "<r:RDF xmlns='http://purl.org/rss/1.0/'",
                "<rss xmlns='http://backend.userland.com/rss2'",
            ][kind])
        for (prefix, address) in [
            ("content", "http://purl.org/rss/1.0/modules/content/"),
            ("dc", "http://purl.org/dc/elements/1.1/"),
            ("itunes", "http://www.itunes.com/dtds/podcast-1.0.dtd"),
            ("media", "http://search.yahoo.com/mrss/"),
            ("podcast", "https://podcastindex.org/namespace/1.0"), ("georss", "http://www.georss.org/georss"),
            ("geo", "http://www.w3.org/2003/01/geo/wgs84_pos#"),
            ("slash", "http://purl.org/rss/1.0/modules/slash/"),
            ("sy", "http://purl.org/rss/1.0/modules/syndication/"), ("atom", "http://www.w3.org/2005/Atom"),
            ("r", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"), ("x", "urn:x"),
            ("xhtml", "http://www.w3.org/1999/xhtml"),
        ] { put(" xmlns:\(prefix)='\(address)'") }
        put(kind == 1 ? ">" : "><channel>")
        while !isOver { several { $0.element() } }
        put(["</channel></rss>", "</feed>", "</channel></r:RDF>", "</channel></rss>"][kind])
    }

    private mutating func element() {
        let name = Self.names[choice(Self.names.count)]
        put("<" + name)
        for _ in 0..<choice(3) { attribute() }
        put(">")
        switch choice(3) {
        case 0: nested { piece in piece.several { $0.element() } }
        case 1: nested { $0.element() }
        default: break
        }
        text_()
        put(choice(40) == 0 ? "" : "</\(name)>")
    }

    private mutating func attribute() {
        put(oneOf: [
            " href='/a'", " url='b c'", " type='html'", " type='xhtml'", " rel='self'", " rel='enclosure'",
            " isPermaLink='false'", " length='9'", " xml:base='/d/'", " xml:lang='de'", " startTime='1'",
            " duration='2'",
            " src='x'", " mode='base64'", " text='Arts'", " geo='geo:1,2'", " role='host'",
        ])
    }

    private mutating func text_() {
        put(oneOf: [
            "text", "", "&lt;p>a&lt;/p>", "<![CDATA[<b>x</b> & y]]>", "Thu, 29 Feb 2024 12:30:15 GMT",
            "2024-02-29T12:30Z",
            "https://a.example/?b=c", "/relative", "ann@a.example (Ann)", "1:02:03", "42", "-1", "yes",
            "&nbsp;", "&foo;",
            "1 2", "a & b", "ü", "PHA+", "&lt;a href='x'>y", "13/13/2024", "\u{1}",
        ])
        if choice(30) == 0 { put(byte: UInt8(choice(128)) + 128) }
    }
}
