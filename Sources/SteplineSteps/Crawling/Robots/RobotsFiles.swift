import Foundation
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The robots.txt of the sites of a crawl (scheme, host and port), each loaded once and kept for a day.
///
/// Visits that need a file while it is loaded wait for the same load. A visit that is cancelled doesn't stop this load,
/// which ends within its own time limits.
actor RobotsFiles {
    /// How long rules are used, as RFC 9309 recommends at most.
    private static let lifetime = Duration.seconds(86_400)
    /// How long a site counts as unreachable without another attempt.
    private static let pause = Duration.seconds(5)
    /// The largest number of sites that are kept.
    private static let mostSites = 10_000
    private static let timeLimit = Duration.seconds(60)

    fileprivate struct Site {
        let rules: Result<RobotsRules, CrawlError>
        let end: Duration
    }

    /// The rules that are known at one time.
    struct Known: Sendable {
        fileprivate var sites: [[String]: Site] = [:]
        fileprivate var time = Duration.zero

        /// Returns the rules of a page's site; nil if they are unknown.
        func rules(of url: URL) -> RobotsRules? {
            guard !sites.isEmpty, let site = sites[url.origin], time < site.end else { return nil }
            return try? site.rules.get()
        }
    }

    private let crawl: Crawl
    private let clock: any StepClock
    private var sites: [[String]: Site] = [:]
    private var loads: [[String]: Task<Result<RobotsRules, CrawlError>, Never>] = [:]

    /// Creates an empty store of rules.
    init(_ crawl: Crawl, clock: any StepClock) {
        self.crawl = crawl
        self.clock = clock
    }

    /// All rules that are known now.
    var known: Known { Known(sites: sites, time: clock.uptime) }

    /// Returns the rules of a page's site, loading them if necessary.
    ///
    /// - Throws: A ``CrawlError`` with the code ``CrawlError/Code/robotsUnreachable`` if the server fails (5xx) or
    ///   can't be reached: RFC 9309 then disallows all pages.
    func rules(of url: URL) async throws(CrawlError) -> RobotsRules {
        let origin = url.origin
        if let site = sites[origin], clock.uptime < site.end { return try site.rules.get() }
        let load = loads[origin] ?? Task { await self.loaded(origin, for: url) }
        loads[origin] = load
        return try await load.value.get()
    }

    private func loaded(_ origin: [String], for url: URL) async -> Result<RobotsRules, CrawlError> {
        let rules = await Self.load(url, crawl, clock)
        let isKnown = (try? rules.get()) != nil
        if sites.count >= Self.mostSites { sites = [:] }
        sites[origin] = Site(rules: rules, end: clock.uptime + (isKnown ? Self.lifetime : Self.pause))
        loads[origin] = nil
        return rules
    }

    private static func load(
        _ page: URL, _ crawl: Crawl, _ clock: any StepClock
    ) async -> Result<RobotsRules, CrawlError> {
        guard var parts = URLParts(page.normalized) else { return .success(.allowingAll) }
        (parts.path, parts.query) = (Array("/robots.txt".utf8), nil)
        guard let url = URL(string: parts.text) else { return .success(.allowingAll) }
        var options = crawl.options(of: url)
        // RFC 9309 demands that five redirects are followed.
        options.redirects = .follow(limit: 5, allowingInsecure: true)
        options.contentTypes = []
        // Loads in chunks refuse these options.
        (options.cache, options.revalidation, options.sharesEqualLoads) = (nil, nil, false)
        // Only the first bytes are read, whatever follows.
        options.sizeLimit = nil
        options.totalTimeout = min(options.totalTimeout, timeLimit)
        do {
            var data = Data()
            for try await chunk in URLChunks(url, options: options, clock: clock) {
                data.append(chunk)
                // One byte more than the limit shows that the last line is cut.
                if data.count > RobotsRules.maximumSize { break }
            }
            return .success(RobotsRules(data, agent: crawl.agent))
        } catch let error as RequestError where isAbsent(error) {
            return .success(.allowingAll)
        } catch {
            return .failure(
                CrawlError(
                    .robotsUnreachable, url,
                    "robots.txt can't be loaded, so no page of this site may be loaded now; try again later",
                    underlying: error))
        }
    }

    /// Returns whether an error means that the site has no robots.txt, so that every page is allowed.
    private static func isAbsent(_ error: RequestError) -> Bool {
        switch error.code {
        case .tooManyRedirects, .redirectRefused: true
        case .status: error.statusCode.map { (400..<500).contains($0) } ?? false
        default: false
        }
    }
}
