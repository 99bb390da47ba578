import Foundation
import Stepline
import Testing

/// The cases of `Fixtures/robots`: files that `generate` made, with the answers of Protego 0.7, Scrapy's own parser.
///
/// 5,000 generated cases (50,000 checks) agree. Of 437 checks that Protego publishes, 29 differ by these rules. All
/// were compared by hand with the same test. The differences are deliberate, and the generator omits what leads to
/// them:
///
/// | Protego | here | reason |
/// |---|---|---|
/// | `bot` names the crawler `botfly` | names are compared whole | section 2.2.1: a group is found by the product token |
/// | a name counts anywhere in `User-Agent` | only at its beginning | section 2.2.1: the token is a prefix that the crawler sends |
/// | `Disallow: http://…` is read as a path | it matches nothing | section 2.2: a path begins with `/` |
/// | `foo*` names `foo` | it names no crawler | section 2.2.1: a token has letters, `_` and `-`, or is `*` alone |
/// | `dissallow`, `useragent`, `Disallow /a` are rules | they are ignored | section 2.2: the grammar has one spelling, with a colon |
/// | `/a$` also matches `/a$b` | it matches `/a` only | section 2.2.3: `$` designates the end; `%24` is the character |
/// | `Allow: /index.html` allows `/` | it doesn't | section 2.2.2: a rule matches from its first octet on |
/// | `Crawl-delay`, `Noise` end the list of names | they don't | section 2.2.4: other records must not interfere |
/// | `%C3*%A4` has two replacement characters | it has two octets | section 2.2.2: octets are compared |
/// | the last of several crawl delays counts | the longest does | a site isn't asked more often than it wishes |
/// | in a query `%2F` and `/` differ | they are equal | section 2.2.2, second row of the table |
/// | a vertical tab or U+2028 ends a line | it doesn't | section 2.2: line ends are CR, LF and CRLF |
@Suite("robots.txt beside Protego", .timeLimit(.minutes(5)))
struct RobotsAgreementTests {
    private struct Case: Decodable {
        struct Check: Decodable {
            let url: String
            let isAllowed: Bool

            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                url = try values.decode(String.self)
                isAllowed = try values.decode(Bool.self)
            }
        }

        let text: String
        let agent: String
        let checks: [Check]
        let delay: Double?
        let sitemaps: [String]
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/robots")

    /// Returns an address with spaces and other than ASCII characters percent-encoded, and all else as it is.
    private static func encoded(_ address: String) -> String {
        address.utf8.map { byte in
            byte > 32 && byte < 127 ? String(Unicode.Scalar(byte)) : String(format: "%%%02X", Int(byte))
        }.joined()
    }

    @Test("generated files are read as Protego reads them")
    func generated() throws {
        let file = Self.folder.appending(path: "cases.jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        var differences: [String] = []
        var count = 0
        for line in lines {
            let sample = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
            let rules = RobotsRules(Data(sample.text.utf8), agent: sample.agent)
            for check in sample.checks {
                count += 1
                guard
                    let url = URL(
                        string: Self.encoded(
                            check.url.hasPrefix("/") ? "https://example.com" + check.url : check.url))
                else { continue }
                if rules.allows(url) != check.isAllowed {
                    differences.append("\(sample.agent) \(check.url) \(check.isAllowed)\n\(sample.text)")
                }
            }
            if rules.crawlDelay != sample.delay.map({ Duration.seconds($0) }) {
                differences.append("delay \(String(describing: sample.delay))\n\(sample.text)")
            }
            if rules.sitemaps.map(\.absoluteString) != sample.sitemaps {
                differences.append("sitemaps \(sample.sitemaps)\n\(sample.text)")
            }
        }
        #expect(count >= 2_000)
        #expect(
            differences.isEmpty,
            "\(differences.count) of \(count):\n\(differences.prefix(20).joined(separator: "\n--\n"))")
    }
}
