import Foundation
import SteplineXML
import Testing

@Suite("Links of HTML pages", .timeLimit(.minutes(5)))
struct LinkTests {
    let url = URL(string: "http://site.example/docs/page.html?q=1")!

    private func addresses(_ html: String) throws -> [String] {
        try XML.Document(html: html).links(at: url).map(\.url.absoluteString)
    }

    @Test("links are absolute, in document order, with text and relations")
    func links() throws {
        let page = try XML.Document(
            html: """
                <title> A
                 page </title><body><a href="next.html" rel="Next  nofollow">To <b>the
                next</b></a><map><area href=/top alt="The top"></map>
                <a name=here>no link</a><a href=' #part '>part</a>
                """)
        let links = page.links(at: url)
        #expect(
            links.map(\.url.absoluteString) == [
                "http://site.example/docs/next.html", "http://site.example/top",
                "http://site.example/docs/page.html?q=1#part",
            ])
        #expect(links.map(\.text) == ["To the next", "The top", "part"])
        #expect(links.map(\.isNofollow) == [true, false, false])
        #expect(links[0].relations == ["next", "nofollow"])
        #expect(links[0].element.name == "a")
    }

    @Test("a base is respected; a base that isn't a page is ignored")
    func base() throws {
        let link = "<body><a href=x>x</a>"
        #expect(try addresses("<base href='/other/'>" + link) == ["http://site.example/other/x"])
        #expect(
            try addresses("<base target=_top><base href='//far.example'>" + link) == ["http://far.example/x"])
        #expect(try addresses("<base href='data:,'>" + link) == ["http://site.example/docs/x"])
    }

    @Test(
        "addresses are resolved as browsers do",
        arguments: [
            ("a b?ü=\n1", "http://site.example/docs/a%20b?%C3%BC=1"),
            ("HTTPS://Far.example/%7e", "HTTPS://Far.example/%7e"),
            ("?p=2", "http://site.example/docs/page.html?p=2"),
            ("//far.example/[x]", "http://far.example/%5Bx%5D"), ("../../../up", "http://site.example/up"),
            ("http://bücher.example/ä", "http://xn--bcher-kva.example/%C3%A4"),
            ("/to?u=http://ü.example", "http://site.example/to?u=http://%C3%BC.example"),
            ("mailto:a@b.example", nil), ("javascript:void(0)", nil), ("", nil), ("http://", nil),
        ] as [(String, String?)])
    func addresses(given: String, expected: String?) throws {
        #expect(try addresses("<a href='\(given)'>x</a>") == (expected.map { [$0] } ?? []))
    }

    @Test(
        "plain addresses are resolved as Foundation does",
        arguments: [
            "http://site.example/docs/page.html?q=1", "https://site.example:8443", "http://h.example?x=1/2",
            "http://user:word@h.example/a/", "http://h.example/a/../b/c", "HTTP://H.example/a",
            "http://h.example#x",
        ])
    func plainAddresses(base: String) throws {
        let base = try #require(URL(string: base))
        let links = [
            "/", "/a", "/a/b.html", "/a:b", "/?x=1&y=2", "/a//b", "//x.example/y", "///y", "/./a", "/a/../b",
            "/a/.",
            "/.well-known/x", "/a.b/c", "/a;b", "/a%20b", "/a%zzb", "/a#b", "/A_b-c=d", "a", "./a",
            "http://x.example",
            "http://x.example/a", "https://x.example:8080/a?b=c", "http://x.example:80", "http://:80/",
            "http://x.example/a/../b", "http:///a", "http:a", "HTTP://X.example/", "http://X.example/",
            "http://x.example?q", "http://x.example:a/", "http://a:b@x.example/", "https://", "https:///",
        ]
        for link in links {
            let expected = URL(string: link.replacing("%zz", with: "%25zz"), relativeTo: base)?.absoluteURL
            let isAddress =
                ["http", "https"].contains(expected?.scheme?.lowercased())
                && expected?.host()?.isEmpty == false
            let found = try XML.Document(html: "<a href='\(link)'>x</a>").links(at: base).map(\.url)
            #expect(found == (isAddress ? expected.map { [$0] } : []), "\(link)")
        }
    }

    @Test("title, meta and canonical address are found, also in the body")
    func metadata() throws {
        let page = try XML.Document(
            html: """
                <body><svg><title>drawing</title></svg><title>The <b>title</b></title>
                <meta name=Description content="first"><meta name=description content="second">
                <meta property="og:image" content="/i.png"><meta http-equiv=refresh content=5><meta charset=utf-8>
                <link rel="alternate" href="/feed"><link rel="shortlink CANONICAL" href="/docs/page">
                """)
        #expect(page.title?.hasPrefix("The") == true)
        #expect(page.meta == ["description": "first", "og:image": "/i.png", "refresh": "5"])
        #expect(page.canonicalURL(at: url)?.absoluteString == "http://site.example/docs/page")
        let bare = try XML.Document(html: "<p>text")
        #expect(bare.title == nil && bare.meta.isEmpty && bare.canonicalURL(at: url) == nil)
        #expect(bare.links(at: url).isEmpty)
    }

    @Test("a page of too many links gives as many as the limit allows")
    func manyLinks() throws {
        let page = try XML.Document(html: String(repeating: "<a href=x></a>", count: 100_000))
        #expect(page.links(at: url).count == XML.Document.maximumLinks)
        #expect(page.links(at: url, limit: 3).count == 3)
        #expect(page.links(at: url, limit: 0).isEmpty)
    }

    @Test("an address over 8 KiB is omitted, a gigantic relation is ignored")
    func giganticAttributes() throws {
        let long = String(repeating: "x", count: 4_000_000)
        let page = try XML.Document(html: "<a href='\(long)'>1</a><a rel='\(long)' href=b>2</a>")
        let links = page.links(at: url)
        #expect(links.map(\.text) == ["2"] && links[0].relations.isEmpty)
    }
}
