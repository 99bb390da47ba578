import Foundation
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The robots.txt of the sites of a crawl (scheme, host and port), each loaded once and kept for a day.
///
/// All rules are removed when they exceed a limit of memory, and are then loaded again when they are needed.
/// Visits that need a file while it is loaded wait for the same load. A visit that is cancelled doesn't stop this load,
/// which ends within its own time limits.
actor RobotsFiles {
    /// How long rules are used, as RFC 9309 recommends at most.
    private static let lifetime = Duration.seconds(86_400)
    /// How long a site counts as unreachable after its first failure; each further failure doubles the pause.
    private static let shortestPause = Duration.seconds(5)
    private static let longestPause = Duration.seconds(60)
    /// The longest pause for which a server may ask.
    private static let longestAskedPause = Duration.seconds(3_600)
    private static let timeLimit = Duration.seconds(60)

    fileprivate struct Site: Sendable {
        let result: Result<RobotsRules, CrawlError>
        /// The time until which the result is used.
        let end: Duration
        /// The pause after a failure; zero after a success.
        let pause: Duration

        /// Returns the rules; a failure asks for a retry at the end of the pause.
        func rules(at time: Duration) throws(CrawlError) -> RobotsRules {
            switch result {
            case .success(let rules): return rules
            case .failure(var error):
                // A retry policy accepts no longer wait; the file isn't loaded before the end of the pause.
                error.pause = min(max(end - time, .zero), RobotsFiles.longestPause)
                throw error
            }
        }

        /// The approximate number of bytes of memory that the site takes.
        var size: Int {
            switch result {
            case .success(let rules): 1_000 + rules.size
            // The error of a failed status contains the beginning of its body.
            case .failure(let error): 1_000 + (error.underlying(as: RequestError.self)?.body.count ?? 0)
            }
        }
    }

    /// The rules that are known at one time.
    struct Known: Sendable {
        fileprivate var sites: [[String]: Site] = [:]
        fileprivate var time = Duration.zero

        /// Returns the rules of a page's site; nil if they are unknown.
        func rules(of url: URL) -> RobotsRules? {
            guard !sites.isEmpty, let site = sites[url.origin], time < site.end else { return nil }
            return try? site.result.get()
        }
    }

    private let crawl: Crawl
    private let clock: any StepClock
    /// The number of bytes of memory beyond which all sites are removed.
    private let mostBytes: Int
    private var keptBytes = 0
    private var sites: [[String]: Site] = [:]
    private var loads: [[String]: Task<Site, Never>] = [:]

    /// Creates an empty store of rules.
    init(_ crawl: Crawl, clock: any StepClock, mostBytes: Int = 64 << 20) {
        self.crawl = crawl
        self.clock = clock
        self.mostBytes = mostBytes
    }

    /// All rules that are known now.
    var known: Known { Known(sites: sites, time: clock.uptime) }

    /// Returns the rules of a page's site, loading them if necessary.
    ///
    /// - Throws: A ``CrawlError`` with the code ``CrawlError/Code/robotsUnreachable`` if the server fails (5xx, 408,
    ///   425, 429) or can't be reached: RFC 9309 then disallows all pages. The file isn't loaded again before
    ///   ``CrawlError/retryAfter``.
    func rules(of url: URL) async throws(CrawlError) -> RobotsRules {
        let origin = url.origin
        let time = clock.uptime
        if let site = sites[origin], time < site.end { return try site.rules(at: time) }
        let load = loads[origin] ?? Task { await self.loaded(origin, for: url) }
        loads[origin] = load
        let site = await load.value
        return try site.rules(at: clock.uptime)
    }

    private func loaded(_ origin: [String], for url: URL) async -> Site {
        let result = await Self.load(url, crawl, clock)
        let last = sites[origin]
        var (end, pause) = (clock.uptime + Self.lifetime, Duration.zero)
        if case .failure(let error) = result {
            pause = min(max((last?.pause ?? .zero) * 2, Self.shortestPause), Self.longestPause)
            let asked = error.retryAfter?.duration(from: clock.now) ?? .zero
            pause = max(pause, min(asked, Self.longestAskedPause))
            end = clock.uptime + pause
        }
        let site = Site(result: result, end: end, pause: pause)
        keptBytes += site.size - (last?.size ?? 0)
        if keptBytes > mostBytes { (sites, keptBytes) = ([:], site.size) }
        sites[origin] = site
        loads[origin] = nil
        return site
    }

    private static func load(
        _ page: URL, _ crawl: Crawl, _ clock: any StepClock
    ) async -> Result<RobotsRules, CrawlError> {
        guard var parts = URLParts(page.normalized) else { return .success(.allowingAll) }
        (parts.path, parts.query) = (Array("/robots.txt".utf8)[...], nil)
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
        // The status of the last response; a missing file counts as accepted, so that its body needn't be read.
        let status = Locked(0)
        options.status = .accepting { new in
            status.withLock { $0 = new }
            return new < 400 || Self.isAbsent(new)
        }
        do {
            var data = Data()
            for try await chunk in URLChunks(url, options: options, clock: clock) {
                if isAbsent(status.withLock { $0 }) { break }
                data.append(chunk)
                // One byte more than the limit shows that the last line is cut.
                if data.count > RobotsRules.maximumSize { break }
            }
            return .success(
                isAbsent(status.withLock { $0 }) ? .allowingAll : RobotsRules(data, agent: crawl.agent))
        } catch {
            // The status counts, also if the body is incomplete.
            if isAbsent(status.withLock { $0 }) || isLost(error) { return .success(.allowingAll) }
            return .failure(
                CrawlError(
                    .robotsUnreachable, url,
                    "robots.txt can't be loaded, so no page of this site may be loaded now; try again later",
                    underlying: error))
        }
    }

    /// Returns whether a status means that the site has no robots.txt, so that every page is allowed.
    private static func isAbsent(_ status: Int) -> Bool {
        (400..<500).contains(status) && ![408, 425, 429].contains(status)
    }

    /// Returns whether an error means that the redirects of a robots.txt lead nowhere, so that every page is allowed.
    private static func isLost(_ error: any Error) -> Bool {
        let code = (error as? RequestError)?.code
        return code == .tooManyRedirects || code == .redirectRefused
    }
}
