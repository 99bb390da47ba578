import Foundation
import Stepline
import Testing

@Suite("Normal form of URLs", .timeLimit(.minutes(5)))
struct NormalizedURLTests {
    @Test(
        "equivalent URLs have one form",
        arguments: [
            ("HTTP://Example.COM/A", "http://example.com/A"), ("http://e.example", "http://e.example/"),
            ("http://e.example:80/", "http://e.example/"), ("https://e.example:443", "https://e.example/"),
            ("http://e.example:443/", "http://e.example:443/"), ("http://e.example:/x", "http://e.example/x"),
            ("http://e.example/%7euser/%c3%a4%2f", "http://e.example/~user/%C3%A4%2F"),
            ("http://e.example/a/./b/../c", "http://e.example/a/c"),
            ("http://e.example/a/..", "http://e.example/"),
            ("http://e.example/../../a/.", "http://e.example/a/"),
            ("http://e.example/a/%2E%2e/b", "http://e.example/b"),
            ("http://e.example/a//b/", "http://e.example/a//b/"),
            ("http://e.example/.../..a", "http://e.example/.../..a"),
            ("http://e.example?q=%7E#part", "http://e.example/?q=~"),
            ("http://e.example/?", "http://e.example/?"),
            ("http://e.example/a?b=/../c", "http://e.example/a?b=/../c"),
            ("http://U%73er:Pw@E.example:80/", "http://User:Pw@e.example/"),
            ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
            ("http://[2001:db8::1]:8080", "http://[2001:db8::1]:8080/"),
        ])
    func forms(given: String, expected: String) throws {
        let normal = try #require(URL(string: given)).normalized
        #expect(normal.absoluteString == expected)
        #expect(normal.normalized == normal, "the form of a form is the same")
    }

    @Test("a URL without a host is returned as it is, a relative one by its base")
    func others() throws {
        for text in ["mailto:A@b.example", "data:,A%7e", "/a/../b", "file:///a/../b"] {
            let url = try #require(URL(string: text))
            #expect(url.normalized == url)
        }
        let relative = try #require(URL(string: "../x", relativeTo: URL(string: "http://E.example/a/b")))
        #expect(relative.normalized.absoluteString == "http://e.example/x")
    }
}
