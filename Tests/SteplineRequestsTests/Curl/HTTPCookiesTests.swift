import Foundation
import Testing

@testable import SteplineRequests

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if os(Linux)
    @Suite("Reading cookies")
    struct HTTPCookiesTests {
        private let now = Date(timeIntervalSince1970: 1_000_000)

        private func cookie(_ line: String, from url: String = "https://www.example.com/a/b") throws
            -> HTTPCookie?
        {
            HTTPCookies.cookie(line, from: try #require(URL(string: url)), at: now)
        }

        @Test("PL-73: a cookie belongs to its host and directory unless it says otherwise")
        func places() throws {
            let plain = try #require(try cookie("a=1"))
            #expect(plain.domain == "www.example.com" && plain.path == "/a" && plain.value == "1")
            #expect(!plain.isSecure && !plain.isHTTPOnly && plain.expiresDate == nil)
            let wide = try #require(
                try cookie(" a = \"x=y\" ; Domain=.Example.COM; path=/; SECURE ;HttpOnly"))
            #expect(wide.domain == ".example.com" && wide.path == "/" && wide.value == "\"x=y\"")
            #expect(wide.isSecure && wide.isHTTPOnly)
            #expect(try cookie("a=1; Path=relative", from: "http://x.org")?.path == "/")
        }

        @Test("PL-73: a cookie goes at its age, else at its date, and none is kept for ever")
        func ages() throws {
            let date = "Expires=Sun, 18-Jan-1970 00:00:00 GMT"
            #expect(try cookie("a=1; Max-Age=60; \(date)")?.expiresDate == now + 60)
            #expect(try cookie("a=1; \(date)")?.expiresDate == Date(timeIntervalSince1970: 17 * 86_400))
            #expect(try cookie("a=1; Max-Age=-9223372036854775808")?.expiresDate == now - 1)
            #expect(try cookie("a=1; Max-Age=9223372036854775807")?.expiresDate == now + 400 * 86_400)
            #expect(try cookie("a=1; Expires=never; Max-Age=soon")?.expiresDate == nil)
        }

        @Test(
            "PL-73: what a host may not set, or isn't a cookie, is left out",
            arguments: [
                "", ";", "=1", "a", "a;b=1", "a=1; Domain=com", "a=1; Domain=ample.com",
                "a=1; Domain=other.org",
                "a=1; Domain=deep.www.example.com", "a\u{7f}=1", "a=\u{1}",
                "a=" + String(repeating: "x", count: 5000),
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
#endif
