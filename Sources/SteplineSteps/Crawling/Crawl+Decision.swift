public import Foundation

extension Crawl {
    /// Whether a crawl loads a page.
    public enum Decision: Sendable, Hashable {
        /// The page is loaded.
        case load
        /// The page is skipped.
        case skip(Reason)
    }

    /// The reason for which a crawl skips a page; later versions may add more.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The reason in words.
        public let description: String

        /// The URL isn't absolute, or its scheme isn't http or https.
        public static let scheme = Reason(description: "the scheme isn't http or https")
        /// The URL contains a user or a password.
        public static let user = Reason(description: "the URL contains a user or a password")
        /// The host isn't among those of the crawl.
        public static let host = Reason(description: "the host isn't part of the crawl")
        /// The page is more links away from a start than the limit.
        public static let depth = Reason(description: "the page is too many links away")
        /// The path matches a pattern of `exclude`, or none of `include`.
        public static let excluded = Reason(description: "the path is excluded")
        /// The site's robots.txt disallows the page.
        public static let robots = Reason(description: "robots.txt disallows the page")
        /// The URL is too long.
        public static let tooLong = Reason(description: "the URL is too long")
        /// The path has too many segments.
        public static let tooManySegments = Reason(description: "the path has too many segments")
        /// One segment occurs too often in the path.
        public static let repeatedSegments = Reason(description: "the path repeats a segment")
    }

    /// Decides whether the crawl loads a page, without loading anything.
    ///
    /// - Parameters:
    ///   - url: The URL of the page.
    ///   - depth: The number of links from a start to the page; 0 for a start, which needn't match `include`.
    ///   - robots: The rules of the page's site; nil if they are unknown.
    /// - Returns: The decision, with the first reason against the page.
    public func decision(for url: URL, depth: Int, robots: RobotsRules? = nil) -> Decision {
        decision(forNormal: url.normalized, depth: depth, robots: robots)
    }

    /// Decides for a URL that is in normal form.
    func decision(forNormal url: URL, depth: Int, robots: RobotsRules?) -> Decision {
        guard let parts = URLParts(url), parts.isWeb else { return .skip(.scheme) }
        // A URL with a user would name a page twice, and its password would be stored as a key.
        if !parts.user.isEmpty { return .skip(.user) }
        guard hosts.contains(parts.hostName) else { return .skip(.host) }
        if let maximumDepth, depth > maximumDepth { return .skip(.depth) }
        if let trap = trap(in: parts) { return .skip(trap) }
        if !isIncluded(parts, depth: depth) { return .skip(.excluded) }
        if obeysRobots, let robots, !robots.allows(url) { return .skip(.robots) }
        return .load
    }

    private func trap(in parts: URLParts) -> Reason? {
        if parts.count > traps.longestURL { return .tooLong }
        let segments = parts.path.split(separator: UInt8(ascii: "/"))
        if segments.count > traps.mostSegments { return .tooManySegments }
        // Fewer segments can't repeat one too often.
        guard segments.count > traps.mostRepeats else { return nil }
        let counts = Dictionary(segments.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.values.contains { $0 > traps.mostRepeats } ? .repeatedSegments : nil
    }

    private func isIncluded(_ parts: URLParts, depth: Int) -> Bool {
        if included.isEmpty, excluded.isEmpty { return true }
        let path = PathPattern.form(of: parts.target)
        if excluded.contains(where: { $0.matches(path) }) { return false }
        return depth == 0 || included.isEmpty || included.contains { $0.matches(path) }
    }
}
