public import Foundation

/// The rules of a robots.txt for one crawler (RFC 9309).
///
///     let rules = RobotsRules(data, agent: "notes-bot")
///     rules.allows(url)
///
/// The groups that name the crawler are combined, whatever their case. Without such a group the groups for `*` are. The
/// longest matching rule decides, and among equally long ones `Allow`. Without a matching rule a page is allowed.
///
/// Each rule is compared with each link. A file with more than 5,000 rules for the crawler disallows every page.
public struct RobotsRules: Sendable {
    /// The number of bytes that are read, as RFC 9309 demands at least; further lines are ignored.
    public static let maximumSize = 500 << 10

    /// Allows every page: the rules of a site without a robots.txt.
    public static let allowingAll = RobotsRules([], delay: nil, sitemaps: [])
    /// Disallows every page but the robots.txt itself: the rules while a site can't be asked for them.
    public static let disallowingAll = RobotsRules(
        [Rule(pattern: PathPattern("/".utf8), allows: false)], delay: nil, sitemaps: [])

    /// The number of rules for one crawler beyond which a file disallows every page.
    static let maximumRules = 5_000

    struct Rule: Sendable {
        let pattern: PathPattern
        let allows: Bool
    }

    /// The rules, the most specific first.
    private let rules: [Rule]

    /// The time between two requests that the site asks for in `Crawl-delay`; nil if it doesn't.
    public let crawlDelay: Duration?

    /// The absolute URLs of the sitemaps that the file names.
    public let sitemaps: [URL]

    /// The approximate number of bytes of memory that the rules take.
    var size: Int {
        rules.reduce(0) { $0 + $1.pattern.size }
            + sitemaps.reduce(0) { $0 + 500 + $1.absoluteString.utf8.count }
    }

    private init(_ rules: [Rule], delay: Duration?, sitemaps: [URL]) {
        self.rules = rules
        crawlDelay = delay
        self.sitemaps = sitemaps
    }

    /// Reads the bytes of a robots.txt; invalid lines are ignored.
    ///
    /// - Parameters:
    ///   - data: The bytes; only the first ``maximumSize`` count.
    ///   - agent: The crawler's product token, such as `notes-bot`, or its whole `User-Agent`, which begins with it.
    public init(_ data: Data, agent: String) {
        var reader = RobotsReader(agent: agent)
        reader.read(data)
        let group = reader.group
        let rules = group.rules.count > Self.maximumRules ? Self.disallowingAll.rules : group.rules
        // Sorting is stable by the offset, so equal files have equal rules.
        let order = rules.indices.sorted {
            let (left, right) = (rules[$0], rules[$1])
            if left.pattern.length != right.pattern.length {
                return left.pattern.length > right.pattern.length
            }
            return left.allows == right.allows ? $0 < $1 : left.allows
        }
        self.init(order.map { rules[$0] }, delay: group.delay, sitemaps: reader.sitemaps)
    }

    /// Returns whether the crawler may load a URL of the site.
    ///
    /// Path and query are compared after percent-encoding is made equal; the host isn't examined.
    public func allows(_ url: URL) -> Bool {
        guard !rules.isEmpty, let parts = URLParts(url.absoluteURL) else { return true }
        // The file itself can always be loaded.
        if parts.path.elementsEqual("/robots.txt".utf8) { return true }
        let path = PathPattern.form(of: parts.target)
        return rules.first { $0.pattern.matches(path) }?.allows ?? true
    }
}
