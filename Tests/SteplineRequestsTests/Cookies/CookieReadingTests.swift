import Foundation
import Testing

@testable import SteplineRequests

@Suite("Reading cookies", .timeLimit(.minutes(5)))
struct CookieReadingTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    private func cookie(_ line: String, from url: String = "https://www.example.com/a/b") throws -> Cookie? {
        let url = try #require(URL(string: url))
        let place = try #require(CookiePlace(url))
        return Cookie(line, from: place, at: now)
    }

    @Test("PL-73: a cookie belongs to its host and directory unless it says otherwise")
    func places() throws {
        let plain = try #require(try cookie("a=1"))
        #expect(
            plain.domain == "www.example.com" && plain.isHostOnly && plain.path == "/a" && plain.value == "1")
        #expect(!plain.isSecure && !plain.isHTTPOnly && plain.expires == nil)
        let wide = try #require(try cookie(" a = \"x=y\" ; Domain=.Example.COM; path=/; SECURE ;HttpOnly"))
        #expect(
            wide.domain == "example.com" && !wide.isHostOnly && wide.path == "/" && wide.value == "\"x=y\"")
        #expect(wide.isSecure && wide.isHTTPOnly)
        #expect(try cookie("a=1; Path=relative", from: "http://x.org")?.path == "/")
    }

    @Test("PL-73: a cookie goes at its age, else at its date, and none is kept for ever")
    func ages() throws {
        let date = "Expires=Sun, 18-Jan-1970 00:00:00 GMT"
        #expect(try cookie("a=1; Max-Age=60; \(date)")?.expires == now + 60)
        #expect(try cookie("a=1; \(date)")?.expires == Date(timeIntervalSince1970: 17 * 86_400))
        #expect(try cookie("a=1; Max-Age=-9223372036854775808")?.expires == now - 1)
        #expect(try cookie("a=1; Max-Age=9223372036854775807")?.expires == now + 400 * 86_400)
        #expect(try cookie("a=1; Expires=never; Max-Age=soon")?.expires == nil)
    }

    @Test("PL-73: a mark behind a sign belongs to the value, and takes no promise from a name")
    func marks() throws {
        let cookie = try #require(try cookie("a=\u{301}b;\u{301}c; Path=/\u{301}x; Secure"))
        #expect(cookie.name == "a" && cookie.value == "\u{301}b" && cookie.path == "/\u{301}x")
        #expect(try self.cookie("__Host-\u{301}a=1; Secure; Path=/x") == nil)
    }

    @Test(
        "PL-73: cookies that a host may not set, and malformed ones, are ignored",
        arguments: [
            "", ";", "=1", "a", "a;b=1", "a=1; Domain=com", "a=1; Domain=ample.com", "a=1; Domain=other.org",
            "a=1; Domain=deep.www.example.com", "a\u{7f}=1", "a=\u{1}", "a=1; Path=/\u{1}",
            "a=" + String(repeating: "x", count: 5000), "__Secure-a=1", "__Host-a=1; Secure; Path=/x",
            "__Host-a=1; Secure; Path=/; Domain=example.com",
        ])
    func refused(_ line: String) throws {
        #expect(try cookie(line) == nil)
    }

    @Test("PL-73: plain HTTP sets no cookie for TLS, and an address no cookie for others")
    func origins() throws {
        #expect(try cookie("a=1; Secure", from: "http://example.com/") == nil)
        #expect(try cookie("a=1; Domain=0.0.1", from: "http://127.0.0.1/") == nil)
        #expect(try cookie("a=1; Domain=127.0.0.1", from: "http://127.0.0.1/")?.domain == "127.0.0.1")
        #expect(try cookie("a😀=😀", from: "http://127.0.0.1/")?.value == "😀")
    }
}
