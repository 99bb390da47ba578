import Foundation
import SteplineRequests
package import SteplineSupport
import SteplineXML

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads the pages of a crawl.
///
/// A visit asks for the site's robots.txt, decides, waits in its host's queue, loads, and returns what it has found. It
/// changes nothing but the cache of robots.txt and the groups of pages, so an attempt that fails is repeated as it was.
///
/// **Redirects.** The target of a redirect is another visit, which is known by its own key and names the redirects
/// before it. A redirect back to one of these is followed at once: its key has been visited without a page.
///
/// **Canonical addresses.** Pages with one canonical address are a group. The first page of a group that is loaded has
/// the result, under its own URL, so no page depends on the load of its canonical address. That address is visited for
/// its links. The groups are known to one loader: a run that is continued may have a second page of a group.
package final class CrawlLoader: Sendable {
    /// The end of a visit.
    package struct Visited: Sendable {
        /// The page; nil if the visit found none that may be used.
        package var page: CrawledPage?
        /// The visits that the page leads to, each once.
        package var found: [CrawlVisit] = []
    }

    private let crawl: Crawl
    private let clock: any StepClock
    private let robots: RobotsFiles
    private let groups = Locked(CanonicalGroups())

    /// The largest number of redirects in a row, each of which is a visit.
    private static let mostRedirects = 10
    /// The longest wait of a page for a robots.txt that fails.
    private static let longestRobotsWait = Duration.seconds(120)
    /// How often one visit follows a redirect back to itself or to a visit before it.
    private static let mostReturns = 3

    /// Creates a loader.
    package init(_ crawl: Crawl, clock: any StepClock) {
        self.crawl = crawl
        self.clock = clock
        robots = RobotsFiles(crawl, clock: clock)
    }

    /// Loads a page or a sitemap.
    ///
    /// - Throws: A `RequestError` if the page can't be loaded, an `XMLError` if it exceeds a limit, or a
    ///   ``CrawlError``.
    package func load(_ visit: CrawlVisit) async throws -> Visited {
        guard let url = URL(string: visit.url) else { return Visited() }
        let isFirst = visit.kind == .start && visit.url == crawl.starts.first?.normalized.absoluteString
        if isFirst { groups.withLock { $0.begin() } }
        let rules = try await rules(for: visit, at: url)
        // The visit's URL is in normal form.
        if visit.kind != .sitemap,
            case .skip(let reason) = crawl.decision(forNormal: url, depth: visit.depth, robots: rules)
        {
            return try skipped(visit, url, "\(reason)")
        }
        let answer: Answer
        do {
            answer = try await self.answer(to: visit, at: url, rules)
        } catch let error as RequestError where visit.kind != .start && error.isFinal(for: visit.kind) {
            return Visited()
        }
        var result = Visited()
        switch answer {
        case .redirect(let target): result = try await redirected(to: target, from: url, visit)
        case .other(let reason): result = try skipped(visit, url, reason)
        case .page(let page, let data, let response):
            if visit.kind == .sitemap {
                result.found = try await read(sitemap: data, at: page, depth: visit.depth)
            } else {
                try await read(data, response, at: page, visit, into: &result)
            }
        }
        if visit.kind == .start, crawl.usesSitemaps {
            result.found += crawl.sitemaps(rules.sitemaps, depth: 0)
        }
        if isFirst { groups.withLock { $0.hasStarted = true } }
        return result
    }

    /// Returns the end of a visit without a page; throws for a start, which must lead to a page.
    private func skipped(_ visit: CrawlVisit, _ url: URL, _ reason: String) throws(CrawlError) -> Visited {
        guard visit.kind != .start else {
            throw CrawlError(.startSkipped, url, "the crawl can't start here: \(reason)")
        }
        return Visited()
    }

    /// Returns the rules of a visit's site, loading them if necessary.
    private func rules(for visit: CrawlVisit, at url: URL) async throws -> RobotsRules {
        if crawl.obeysRobots {
            let end = clock.uptime + Self.longestRobotsWait
            while true {
                do { return try await robotsRules(of: url) } catch let error as CrawlError {
                    // The page keeps its place, so the site's other pages stay queued instead of failing too.
                    guard visit.kind != .start, let pause = error.retryAfter?.duration(from: clock.now),
                        clock.uptime + pause <= end
                    else { throw error }
                    try await clock.sleep(for: pause)
                }
            }
        }
        // Of a robots.txt that isn't obeyed only the sitemaps count.
        guard crawl.usesSitemaps, visit.kind == .start else { return .allowingAll }
        return (try? await robotsRules(of: url)) ?? .allowingAll
    }

    /// Returns the rules of a site; a cancelled visit doesn't wait for their load, which goes on for other visits.
    private func robotsRules(of url: URL) async throws -> RobotsRules {
        if let rules = await robots.known.rules(of: url) { return rules }
        let end = OneShot<Result<RobotsRules, any Error>>()
        Task { [robots] in
            do {
                end.fulfill(.success(try await robots.rules(of: url)))
            } catch {
                end.fulfill(.failure(error))
            }
        }
        return try await withTaskCancellationHandler {
            try await end.value.get()
        } onCancel: {
            end.fulfill(.failure(CancellationError()))
        }
    }

    private enum Answer {
        /// A page or a sitemap, and its URL.
        case page(URL, Data, TransferResponse)
        case redirect(URL)
        /// Neither, for a reason in words.
        case other(String)
    }

    /// Loads a visit's URL, and again what a redirect leads back to, as after setting a cookie.
    private func answer(to visit: CrawlVisit, at url: URL, _ rules: RobotsRules) async throws -> Answer {
        let visited = (visit.via ?? []) + [visit.url]
        var (url, rules) = (url, rules)
        for _ in 0...Self.mostReturns {
            let answer = try await load(url, crawl.options(for: url, rules, visit.kind))
            guard case .redirect(let target) = answer,
                visited.contains(target.normalized.absoluteString)
            else { return answer }
            url = target.normalized
            rules = try await self.rules(for: visit, at: url)
        }
        return .other("the redirects form a circle")
    }

    private func load(_ url: URL, _ options: LoadOptions) async throws -> Answer {
        do {
            let loaded = try await AwaitedLoad.run(
                URLRequest(url: url), options: options, clock: clock)
            if let target = loaded.received.redirectTarget(from: url) { return .redirect(target) }
            let status = loaded.received.status ?? 0
            guard (200..<300).contains(status) else {
                return .other("an answer with status \(status) isn't a page")
            }
            return .page(url, loaded.value, loaded.received)
        } catch let error as RequestError where error.code == .contentType {
            // A redirect needn't have the type of a page.
            if let target = error.response.flatMap({ TransferResponse($0).redirectTarget(from: url) }) {
                return .redirect(target)
            }
            return .other("the file isn't HTML (\(error.response?.mimeType ?? "no type"))")
        }
    }

    private func redirected(to target: URL, from url: URL, _ visit: CrawlVisit) async throws -> Visited {
        let via = (visit.via ?? []) + [visit.url]
        guard via.count <= Self.mostRedirects else {
            return try skipped(visit, url, "more than \(Self.mostRedirects) redirects in a row")
        }
        if visit.kind == .sitemap {
            return Visited(found: crawl.sitemaps([target], depth: visit.depth, via: via))
        }
        let rules = await knownRobots().rules(of: target)
        if case .skip(let reason) = crawl.decision(for: target, depth: visit.depth, robots: rules) {
            return try skipped(
                visit, url,
                "the page redirects to \(target.withoutSecrets), but \(reason); "
                    + "start there, or add its host to hosts")
        }
        // A removed page may redirect to a page of its own, which isn't the duplicate.
        let kind = visit.kind == .duplicate ? .page : visit.kind
        return Visited(found: [CrawlVisit(target, depth: visit.depth, kind, via: via)])
    }

    private func read(
        _ data: Data, _ response: TransferResponse, at url: URL, _ visit: CrawlVisit,
        into result: inout Visited
    ) async throws {
        var options = XML.Options()
        options.charset = response.charset
        // The parser refuses an empty input.
        let html = try XML.Document(html: data.isEmpty ? Data(" ".utf8) : data, options: options)
        let asked =
            crawl.obeysRobots
            ? RobotsDirectives(html, response, agent: crawl.agentToken) : RobotsDirectives()
        let knownRobots = await knownRobots()
        var known: Set<String> = [visit.key]
        func isAllowed(_ link: URL, depth: Int) -> Bool {
            crawl.decision(forNormal: link, depth: depth, robots: knownRobots.rules(of: link)) == .load
        }
        func find(_ link: URL, depth: Int, _ kind: CrawlVisit.Kind) {
            let other = CrawlVisit(normal: link, depth: depth, kind)
            guard known.insert(other.key).inserted, isAllowed(link, depth: depth) else { return }
            result.found.append(other)
        }
        var canonical = visit.kind == .canonical ? nil : html.canonicalURL(at: url)?.normalized
        if let address = canonical, address == url || !isAllowed(address, depth: visit.depth) {
            canonical = nil
        }
        // A page that another one names as canonical isn't followed further: each load may name a new address.
        if visit.kind == .duplicate { canonical = nil }
        let isFirst = !asked.isNoindex && groups.withLock { $0.isFirst(url, canonical) }
        if isFirst, visit.kind != .duplicate {
            result.page = CrawledPage(
                url: url, depth: visit.depth, html: html, data: data, received: response)
        }
        // An address that differs in its scheme or port is most likely this page.
        if let canonical, !canonical.hasHostAndTarget(of: url) {
            // Only the page that has the result may add a duplicate, which never has one: both are stored at once.
            find(canonical, depth: visit.depth, isFirst ? .duplicate : .page)
        }
        guard !asked.isNofollow else { return }
        for link in html.links(at: url) where !(crawl.obeysRobots && link.isNofollow) {
            try Task.checkCancellation()
            find(link.url.normalized, depth: visit.depth + 1, .page)
        }
    }

    private func read(sitemap data: Data, at url: URL, depth: Int) async throws -> [CrawlVisit] {
        let sitemap: Sitemap
        do {
            sitemap = try Sitemap(data: data, at: url)
        } catch is CrawlError {
            // A sitemap is only a hint.
            return []
        }
        // An index names sitemaps, and those name pages; a deeper nesting isn't a part of the protocol.
        var found = depth == 0 ? crawl.sitemaps(sitemap.sitemaps, depth: 1) : []
        let knownRobots = await knownRobots()
        for page in sitemap.pages {
            try Task.checkCancellation()
            let page = page.normalized
            if case .load = crawl.decision(forNormal: page, depth: 1, robots: knownRobots.rules(of: page)) {
                found.append(CrawlVisit(normal: page, depth: 1, .page))
            }
        }
        return found
    }

    /// The rules by which a page's links are chosen; the visit of a link itself decides by the rules of its site.
    private func knownRobots() async -> RobotsFiles.Known {
        crawl.obeysRobots ? await robots.known : RobotsFiles.Known()
    }
}

extension RequestError {
    /// Whether the server says that there is no page or sitemap, as opposed to a failure that may pass.
    fileprivate func isFinal(for kind: CrawlVisit.Kind) -> Bool {
        if kind == .sitemap, code == .tooLarge { return true }
        guard code == .status, let statusCode else { return false }
        return (400..<500).contains(statusCode) && ![408, 425, 429].contains(statusCode)
    }
}

extension URL {
    /// Whether two URLs have the same host, path and query.
    fileprivate func hasHostAndTarget(of other: URL) -> Bool {
        guard let left = URLParts(self), let right = URLParts(other) else { return false }
        return left.host == right.host && left.target == right.target
    }
}

extension TransferResponse {
    /// Returns the target of a redirect; nil for another response.
    fileprivate func redirectTarget(from url: URL) -> URL? {
        guard let status, [301, 302, 303, 307, 308].contains(status), let place = value(of: "location")
        else { return nil }
        return URL(string: place, relativeTo: url)?.absoluteURL
    }
}
