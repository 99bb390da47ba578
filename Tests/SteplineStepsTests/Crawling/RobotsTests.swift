import Foundation
import Stepline
import Testing

@Suite("robots.txt", .timeLimit(.minutes(5)))
struct RobotsTests {
    private func rules(_ text: String, agent: String = "notes-bot") -> RobotsRules {
        RobotsRules(Data(text.utf8), agent: agent)
    }

    private func allows(_ text: String, _ path: String, agent: String = "notes-bot") -> Bool {
        rules(text, agent: agent).allows(URL(string: "https://site.example" + path)!)
    }

    @Test("the longest matching rule decides, among equally long ones Allow")
    func precedence() {
        let text =
            "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nDisallow: /same\nAllow: /same\n"
        let allowed = ["/a", "/a/b/x", "/a/b/c?q", "/same", "/A"].map { allows(text, $0) }
        #expect(allowed == [false, true, false, true, true])
        let home = "User-agent: *\nDisallow: /*\nAllow: /$"
        #expect(!allows(home, "/x") && allows(home, ""))
    }

    @Test("all groups of the crawler count, in any case; without one those of *")
    func groups() {
        let text = """
            User-agent: other
            User-Agent: NOTES-BOT/2.0
            Disallow: /a
            User-agent: *
            Disallow: /rest
            Sitemap: https://site.example/map.xml
            user-agent: notes-bot # again
            disallow: /b
            """
        #expect(!allows(text, "/a") && !allows(text, "/b") && allows(text, "/rest"))
        #expect(!allows(text, "/a", agent: "other") && allows(text, "/b", agent: "other"))
        #expect(allows(text, "/a", agent: "third") && !allows(text, "/rest", agent: "third"))
        #expect(!allows(text, "/b", agent: "Notes-Bot/1.0 (+https://site.example)"))
        #expect(rules(text).sitemaps.map(\.absoluteString) == ["https://site.example/map.xml"])
        // A group without rules allows all, though the group of * doesn't.
        #expect(allows("User-agent: *\nDisallow: /\nUser-agent: notes-bot\nDisallow:", "/x"))
        #expect(allows("Disallow: /\n", "/x"), "a rule before any group is ignored")
    }

    @Test("a line that isn't a rule doesn't separate the names of a group")
    func otherRecords() {
        let text = "User-agent: notes-bot\nCrawl-delay: 2\nUser-agent: other\nNoise: x\nDisallow: /a"
        #expect(!allows(text, "/a") && !allows(text, "/a", agent: "other"))
        #expect(rules(text).crawlDelay == .seconds(2) && rules(text, agent: "other").crawlDelay == nil)
    }

    @Test(
        "* matches any characters, a final $ the end, and percent-encoding is compared decoded",
        arguments: [
            ("/*.php", "/a/b.php?x", true), ("/*.php$", "/a/b.php?x", false),
            ("/*.php$", "/a.php/b.php", true),
            ("/a*b*c", "/aXbYbZcQ", true), ("/a*b*c", "/acb", false), ("/a*b$", "/abab", true),
            ("/a**b", "/a1b", true),
            ("*", "/x", true), ("*/x", "/a/x", true), ("/a$b", "/a$b", true), ("/a$b", "/a", false),
            ("/$", "/", true), ("/$", "/a", false), ("/ab*b$", "/ab", false),
            ("/*/secret", "/go?to=/secret", true),
            ("a", "/a", false), ("/a", "/b/a", false), ("/*?", "/x?", true), ("/*?", "/x", false),
            // The table of RFC 9309, section 2.2.2.
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz", true),
            ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", true),
            ("/foo/bar/ツ", "/foo/bar/%E3%83%84", true), ("/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84", true),
            ("/foo/bar/%62%61%7A", "/foo/bar/baz", true),
            // Section 2.2.3: special characters that are meant literally.
            ("/file-with-a-%2A.html", "/file-with-a-*.html", true), ("/foo-%24", "/foo-$", true),
            ("/file-with-a-%2A.html", "/file-with-a-x.html", false), ("/foo-%24", "/foo-", false),
            // An encoded slash separates no segments, and an encoded percent sign begins no encoding.
            ("/a%2Fb", "/a/b", false), ("/a/b", "/a%2fb", false), ("/a%2Fb", "/a%2fb", true),
            ("/%2541", "/A", false),
            // In a query an encoded slash equals a slash, also behind a star.
            ("/*to=%2Fadmin", "/go?to=%2Fadmin", true), ("/*to=%2Fadmin", "/go?to=/admin", true),
            ("/*to=%2Fadmin", "/to=%2Fadmin", true), ("/*to=%2Fadmin", "/to=/admin", false),
            ("/*url=http%3A%2F%2F", "/out?url=http%3A%2F%2Fx.example", true),
            ("/*%2Fb$", "/a?x=%2Fb", true), ("/*%2Fb$", "/a/b", false), ("/*%2Fb$", "/a?x=%2Fb/c", false),
            ("/*%2Fb*%2Fc", "/a%2Fb?%2Fc", true), ("/*%2Fc*%2Fb", "/a%2Fb?%2Fc", false),
            ("/a%", "/a%25", true), ("/a%zz", "/a%25zz", true),
        ] as [(String, String, Bool)])
    func patterns(pattern: String, path: String, isMatch: Bool) {
        #expect(allows("User-agent: *\nDisallow: \(pattern)", path) == !isMatch)
    }

    @Test(
        "a byte order mark, any line end, comments and blanks are accepted", arguments: ["\n", "\r", "\r\n"])
    func layout(end: String) {
        let text = [
            "\u{FEFF}  USER-AGENT\t:  *  # all", "", "# Disallow: /b", "Disallow : /a#x", "Allow",
            "garbage:x",
        ]
        .joined(separator: end)
        #expect(!allows(text, "/a") && allows(text, "/b"))
    }

    @Test("the file itself is always allowed, and an empty or binary one allows all")
    func robotsItself() throws {
        #expect(allows("User-agent: *\nDisallow: /", "/robots.txt"))
        #expect(allows("", "/x"))
        let binary = RobotsRules(
            Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }), agent: "notes-bot")
        #expect(binary.allows(try #require(URL(string: "https://site.example/x"))))
        let page = try #require(URL(string: "https://site.example/x"))
        #expect(RobotsRules.allowingAll.allows(page) && !RobotsRules.disallowingAll.allows(page))
    }

    @Test("bytes beyond 500 KiB are ignored, and with them a line that is cut")
    func size() {
        let head = "User-agent: *\nDisallow: /a\n"
        let fill = RobotsRules.maximumSize - head.utf8.count - "Disallow: /".utf8.count
        let text = head + String(repeating: "#", count: fill - 1) + "\nDisallow: /b\nDisallow: /c\n"
        #expect(!allows(text, "/a") && allows(text, "/b") && allows(text, "/c"))
        let whole = head + String(repeating: "#", count: fill - 10) + "\nDisallow: /b"
        #expect(!allows(whole, "/b"))
    }

    @Test("a crawl delay is a number of seconds; others are ignored")
    func delays() {
        func delay(_ value: String) -> Duration? {
            rules("User-agent: *\nCrawl-delay: \(value)").crawlDelay
        }
        #expect(delay("1.5") == .milliseconds(1500) && delay("0") == .zero)
        for value in ["x", "-1", "nan", "inf", "", "1 s"] { #expect(delay(value) == nil) }
        #expect(delay("1e300") == .seconds(1_000_000))
        // The longest of several counts.
        let groups = "User-agent: *\nCrawl-delay: 10\nDisallow: /a\nUser-agent: *\nCrawl-delay: 2"
        #expect(rules(groups).crawlDelay == .seconds(10))
    }

    @Test("a file with more than 5,000 rules for the crawler disallows every page")
    func manyRules() {
        func text(_ count: Int) -> String {
            "User-agent: *\n" + (1...count).map { "Disallow: /\($0)\n" }.joined()
        }
        #expect(allows(text(5_000), "/x") && !allows(text(5_000), "/5000"))
        #expect(!allows(text(5_001), "/x") && allows(text(5_001), "/robots.txt"))
        // The rules for other crawlers don't count.
        let named = text(5_001) + "User-agent: notes-bot\nDisallow: /a\n"
        #expect(allows(named, "/x") && !allows(named, "/a"))
    }

    @Test("many rules with hostile patterns are matched in linear time")
    func hostilePatterns() {
        let pattern = "/" + String(repeating: "a*", count: 2_000) + "b"
        let text = "User-agent: *\n" + String(repeating: "Disallow: \(pattern)\n", count: 100)
        #expect(allows(text, "/" + String(repeating: "a", count: 8_000)))
        let long = "Disallow: *" + String(repeating: "a", count: 3_000) + "b\n"
        let many = "User-agent: *\n" + String(repeating: long, count: 100)
        #expect(allows(many, "/" + String(repeating: "a", count: 8_000)))
    }
}
