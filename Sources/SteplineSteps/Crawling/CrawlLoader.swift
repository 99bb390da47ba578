import Foundation
import SteplineEngine
import SteplineRequests
package import SteplineSupport
import SteplineXML

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads the pages of a crawl.
///
/// A visit asks for the site's robots.txt, decides, waits in its host's queue, loads, and returns what it has found. It
/// changes nothing but the cache of robots.txt, so an attempt that fails is repeated as it was. A redirect isn't
/// followed here: its target is another visit, which is known by its own key. The same holds for a canonical address.
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
    /// The places of loads: a page that is read or stored has given its place to the next load.
    private let places: PoolPlaces

    /// Creates a loader.
    package init(_ crawl: Crawl, clock: any StepClock) {
        self.crawl = crawl
        self.clock = clock
        robots = RobotsFiles(crawl, clock: clock)
        places = PoolPlaces([Pool(capacity: crawl.limit): 1])
    }

    /// Loads a page or a sitemap.
    ///
    /// - Parameters:
    ///   - visit: The page or sitemap.
    ///   - willLoad: Called when fewer than ``Crawl/limit`` others are loaded, before the first request.
    /// - Throws: A `RequestError` if the page can't be loaded, an `XMLError` if it exceeds a limit, a ``CrawlError``,
    ///   or the error of `willLoad`.
    package func load(
        _ visit: CrawlVisit, willLoad: () async throws -> Void = {}
    ) async throws -> Visited {
        guard let url = URL(string: visit.url) else { return Visited() }
        let place = try await takePlace()
        defer { place.giveBack() }
        try await willLoad()
        let rules = crawl.obeysRobots || crawl.usesSitemaps ? try await robots.rules(of: url) : .allowingAll
        if visit.kind == .sitemap { return try await loadSitemap(url, visit, rules) }
        // The visit's URL is in normal form.
        if case .skip(let reason) = crawl.decision(forNormal: url, depth: visit.depth, robots: rules) {
            guard visit.kind != .start else {
                throw CrawlError(.startSkipped, url, "the crawl can't start here: \(reason)")
            }
            return Visited()
        }
        let answer: Answer
        do {
            answer = try await self.answer(of: url, crawl.options(for: url, rules))
        } catch let error as RequestError where visit.kind != .start && error.isFinalRefusal {
            return Visited()
        }
        place.giveBack()
        var result = Visited()
        switch answer {
        case .redirect(let target): result.found = try await redirected(to: target, from: url, visit)
        case .other: break
        case .page(let data, let response):
            try await read(data, response, at: url, visit, into: &result)
        }
        if visit.kind == .start, crawl.usesSitemaps {
            result.found += crawl.sitemaps(rules.sitemaps, depth: 0)
        }
        return result
    }

    /// Waits until fewer than ``Crawl/limit`` pages are loaded.
    private func takePlace() async throws -> PoolRequest {
        let turn = OneShot<Void>()
        let request = PoolRequest(places) { _ in turn.fulfill(()) }
        guard !request.take() else { return request }
        await withTaskCancellationHandler {
            await turn.value
        } onCancel: {
            turn.fulfill(())
        }
        if Task.isCancelled {
            request.giveBack()
            throw CancellationError()
        }
        return request
    }

    private enum Answer {
        case page(Data, TransferResponse)
        case redirect(URL)
        /// A file that isn't a page.
        case other
    }

    private func answer(of url: URL, _ options: LoadOptions) async throws -> Answer {
        do {
            let loaded = try await AwaitedLoad.run(
                URLRequest(url: url), options: options, clock: clock)
            guard loaded.received.status != nil else { return .other }
            guard let target = loaded.received.redirectTarget(from: url) else {
                return .page(loaded.value, loaded.received)
            }
            if target.normalized != url { return .redirect(target) }
        } catch let error as RequestError where error.code == .contentType {
            // A redirect needn't have the type of a page.
            guard let target = error.response.flatMap({ TransferResponse($0).redirectTarget(from: url) })
            else { return .other }
            if target.normalized != url { return .redirect(target) }
        }
        // A redirect to the same key, as after setting a cookie: its target would count as visited.
        var following = options
        following.redirects = .followWithinOrigin(limit: 5)
        let loaded = try await AwaitedLoad.run(URLRequest(url: url), options: following, clock: clock)
        return loaded.received.status == nil ? .other : .page(loaded.value, loaded.received)
    }

    private func redirected(to target: URL, from url: URL, _ visit: CrawlVisit) async throws -> [CrawlVisit] {
        let rules = await knownRobots().rules(of: target)
        if case .skip(let reason) = crawl.decision(for: target, depth: visit.depth, robots: rules) {
            guard visit.kind != .start else {
                throw CrawlError(
                    .startSkipped, url,
                    "the crawl can't start here: the page redirects to \(target.withoutSecrets), but \(reason); "
                        + "start there, or add its host to hosts")
            }
            return []
        }
        return [CrawlVisit(target, depth: visit.depth, visit.kind)]
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
        func find(_ link: URL, depth: Int, _ kind: CrawlVisit.Kind) {
            let link = link.normalized
            let other = CrawlVisit(normal: link, depth: depth, kind)
            guard known.insert(other.key).inserted,
                case .load = crawl.decision(
                    forNormal: link, depth: depth, robots: knownRobots.rules(of: link))
            else { return }
            result.found.append(other)
        }
        if visit.kind != .canonical, let canonical = html.canonicalURL(at: url) {
            find(canonical, depth: visit.depth, .canonical)
        }
        // Under its canonical address the page is used when that is visited.
        if result.found.isEmpty, !asked.isNoindex {
            result.page = CrawledPage(
                url: url, depth: visit.depth, html: html, data: data, received: response)
        }
        guard !asked.isNofollow else { return }
        for link in html.links(at: url) where !(crawl.obeysRobots && link.isNofollow) {
            find(link.url, depth: visit.depth + 1, .page)
        }
    }

    private func loadSitemap(_ url: URL, _ visit: CrawlVisit, _ rules: RobotsRules) async throws -> Visited {
        var options = crawl.options(for: url, rules)
        options.contentTypes = []
        options.redirects = .followWithinOrigin(limit: 5)
        options.sizeLimit = Sitemap.maximumSize
        let data = try await AwaitedLoad.run(URLRequest(url: url), options: options, clock: clock).value
        let sitemap = try Sitemap(data: data, at: url)
        var result = Visited()
        // An index names sitemaps, and those name pages; a deeper nesting isn't a part of the protocol.
        if visit.depth == 0 { result.found = crawl.sitemaps(sitemap.sitemaps, depth: 1) }
        let knownRobots = await knownRobots()
        for page in sitemap.pages {
            let page = page.normalized
            if case .load = crawl.decision(forNormal: page, depth: 1, robots: knownRobots.rules(of: page)) {
                result.found.append(CrawlVisit(normal: page, depth: 1, .page))
            }
        }
        return result
    }

    /// The rules by which a page's links are chosen; the visit of a link itself decides by the rules of its site.
    private func knownRobots() async -> RobotsFiles.Known {
        crawl.obeysRobots ? await robots.known : RobotsFiles.Known()
    }
}

extension RequestError {
    /// Whether the server says that there is no page, as opposed to a failure that may pass.
    fileprivate var isFinalRefusal: Bool {
        guard code == .status, let statusCode else { return false }
        return (400..<500).contains(statusCode) && ![408, 425, 429].contains(statusCode)
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
