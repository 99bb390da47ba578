public import Foundation
public import SteplineRequests

/// The rules of a crawl: where it begins, which pages it loads, and how it treats their hosts.
///
///     var crawl = Crawl(from: site, agent: "notes-bot", atMost: 10_000)
///     crawl.exclude = ["/search", "*.pdf$"]
///     crawl.delay = .seconds(1)
///
/// A page is known by its URL in normal form (`URL.normalized`) and is loaded once.
public struct Crawl: Sendable {
    /// The pages with which the crawl begins.
    public let starts: [URL]

    /// The crawler's name: sent as `User-Agent`, and looked up in robots.txt up to the first `/` or blank.
    public let agent: String

    /// The maximum number of pages that are loaded, including redirects and sitemaps.
    public let atMost: Int

    /// The hosts whose pages are loaded, without port and in ASCII; by default those of the starts.
    public var hosts: Set<String> {
        didSet { hosts = Set(hosts.map { $0.lowercased() }) }
    }

    /// The maximum number of links from a start to a page, on the way by which it was found first; nil for no limit.
    public var maximumDepth: Int?

    /// The patterns of paths, one of which a page must match; empty for all pages.
    ///
    /// As in robots.txt a pattern begins with `/` or `*`, and is compared with the path and the query from their
    /// beginning. `*` stands for any characters, and a final `$` for the end. The starts needn't match.
    public var include: [String] = [] {
        didSet { included = include.map { PathPattern($0.utf8) } }
    }

    /// The patterns of paths that aren't loaded.
    public var exclude: [String] = [] {
        didSet { excluded = exclude.map { PathPattern($0.utf8) } }
    }

    private(set) var included: [PathPattern] = []
    private(set) var excluded: [PathPattern] = []

    /// Whether robots.txt, `<meta name="robots">`, `X-Robots-Tag` and `rel="nofollow"` are obeyed.
    public var obeysRobots = true

    /// Whether the pages in the sitemaps that robots.txt names are loaded.
    ///
    /// A sitemap that is missing, damaged or too large is ignored.
    public var usesSitemaps = false

    /// The least time between two requests to one host.
    ///
    /// A longer `Crawl-delay` of the host's robots.txt counts instead, up to ``maximumDelay``.
    public var delay = Duration.zero

    /// The longest time between two requests to one host for which its robots.txt may ask.
    public var maximumDelay = Duration.seconds(60)

    /// The maximum number of concurrent requests to one host.
    public var connectionsPerHost = 4

    /// The maximum number of pages that are loaded concurrently.
    public var limit = 16

    /// The options of each load; the default size limit of a page is 10 MiB.
    ///
    /// A `cache` makes the requests of a repeated crawl conditional.
    public var load: LoadOptions

    /// The limits beyond which a URL is taken for one of endlessly many.
    public var traps = Traps()

    /// The limits of URLs.
    ///
    /// A calendar or a broken relative link leads to endlessly many pages.
    public struct Traps: Sendable, Hashable {
        /// The greatest length of a URL, in bytes.
        public var longestURL = 2_000
        /// The greatest number of segments in a path.
        public var mostSegments = 20
        /// How often one segment may occur in a path: `/a/b/a/b/a` has `a` three times.
        public var mostRepeats = 3

        /// Creates the default limits.
        public init() {}
    }

    /// Creates the rules of a crawl from several pages.
    ///
    /// - Parameters:
    ///   - starts: The pages with which the crawl begins.
    ///   - agent: The crawler's name, such as `notes-bot/1.0 (+https://example.com/bot)`.
    ///   - count: The maximum number of pages that are loaded.
    public init(from starts: [URL], agent: String, atMost count: Int) {
        self.starts = starts
        self.agent = agent
        atMost = count
        hosts = Set(starts.compactMap { URLParts($0.normalized)?.hostName })
        load = LoadOptions()
        load.sizeLimit = 10 << 20
    }

    /// Creates the rules of a crawl from one page.
    public init(from start: URL, agent: String, atMost count: Int) {
        self.init(from: [start], agent: agent, atMost: count)
    }

    /// Throws a ``CrawlError`` for the first invalid setting.
    package func check() throws(CrawlError) {
        func refuse(_ message: String, _ url: URL? = nil) -> CrawlError {
            CrawlError(.invalidOption, url, message)
        }
        if starts.isEmpty { throw refuse("a crawl needs a page to start from") }
        for start in starts {
            guard ["http", "https"].contains(start.scheme?.lowercased() ?? ""), start.host()?.isEmpty == false
            else { throw refuse("a crawl starts from an absolute URL with http or https", start) }
            if start.user != nil {
                throw refuse("a start contains a user; set load.headers[\"Authorization\"] instead", start)
            }
        }
        if agentToken.isEmpty || agent.unicodeScalars.contains(where: { $0.value < 32 || $0.value > 126 }) {
            throw refuse("agent expects a name in ASCII, such as \"notes-bot\"")
        }
        if agentToken == "mozilla" {
            throw refuse("agent begins with Mozilla, the name of browsers; begin with the crawler's own")
        }
        for (name, value) in [
            ("atMost", atMost), ("limit", limit), ("connectionsPerHost", connectionsPerHost),
        ]
        where value < 1 {
            throw refuse("\(name) expects 1 or more, got \(value)")
        }
        if let maximumDepth, maximumDepth < 0 {
            throw refuse("maximumDepth expects 0 or more, got \(maximumDepth)")
        }
        if delay < .zero || maximumDelay < .zero { throw refuse("a delay expects 0 seconds or more") }
        for pattern in include + exclude where !["/", "*"].contains(pattern.unicodeScalars.first) {
            throw refuse("a pattern begins with \"/\" or \"*\", got \"\(pattern)\"")
        }
    }

    /// The part of the name that robots.txt and `meta` use.
    var agentToken: String {
        String(agent.unicodeScalars.prefix { $0 != "/" && $0 != " " && $0 != "\t" }).lowercased()
    }
}
