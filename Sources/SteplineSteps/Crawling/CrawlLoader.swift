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
        let rules = crawl.obeysRobots || crawl.usesSitemaps ? try await robots.rules(of: url) : .allowingAll
        if visit.kind == .sitemap { return try await loadSitemap(url, visit, rules) }
        if case .skip(let reason) = crawl.decision(for: url, depth: visit.depth, robots: rules) {
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

    private enum Answer {
        case page(Data, HTTPURLResponse)
        case redirect(URL)
        /// A file that isn't a page.
        case other
    }

    private func answer(of url: URL, _ options: LoadOptions) async throws -> Answer {
        do {
            let (data, response) = try await AwaitedLoad.run(
                URLRequest(url: url), options: options, clock: clock)
            guard let http = response as? HTTPURLResponse else { return .other }
            guard let target = http.redirectTarget(from: url) else { return .page(data, http) }
            if target.normalized != url { return .redirect(target) }
        } catch let error as RequestError where error.code == .contentType {
            // A redirect needn't have the type of a page.
            guard let http = error.response as? HTTPURLResponse,
                let target = http.redirectTarget(from: url)
            else { return .other }
            if target.normalized != url { return .redirect(target) }
        }
        // A redirect to the same key, as after setting a cookie: its target would count as visited.
        var following = options
        following.redirects = .followWithinOrigin(limit: 5)
        let (data, response) = try await AwaitedLoad.run(
            URLRequest(url: url), options: following, clock: clock)
        return (response as? HTTPURLResponse).map { .page(data, $0) } ?? .other
    }

    private func redirected(to target: URL, from url: URL, _ visit: CrawlVisit) async throws -> [CrawlVisit] {
        let rules = await robots.knownRules(of: target)
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
        _ data: Data, _ response: HTTPURLResponse, at url: URL, _ visit: CrawlVisit,
        into result: inout Visited
    ) async throws {
        var options = XML.Options()
        options.charset = response.textEncodingName
        // The parser refuses an empty input.
        let html = try XML.Document(html: data.isEmpty ? Data(" ".utf8) : data, options: options)
        let asked =
            crawl.obeysRobots
            ? RobotsDirectives(html, response, agent: crawl.agentToken) : RobotsDirectives()
        var known: Set<String> = [visit.key]
        let canonical = visit.kind == .canonical ? nil : html.canonicalURL(at: url)
        if let canonical, case .load = await decision(for: canonical, depth: visit.depth) {
            let other = CrawlVisit(canonical, depth: visit.depth, .canonical)
            if known.insert(other.key).inserted { result.found.append(other) }
        }
        // Under its canonical address the page is used when that is visited.
        if result.found.isEmpty, !asked.isNoindex {
            result.page = CrawledPage(
                url: url, depth: visit.depth, html: html, data: data, response: response)
        }
        guard !asked.isNofollow else { return }
        let depth = visit.depth + 1
        for link in html.links(at: url) where !(crawl.obeysRobots && link.isNofollow) {
            let next = CrawlVisit(link.url, depth: depth, .page)
            guard known.insert(next.key).inserted,
                case .load = await decision(for: link.url, depth: depth)
            else { continue }
            result.found.append(next)
        }
    }

    private func loadSitemap(_ url: URL, _ visit: CrawlVisit, _ rules: RobotsRules) async throws -> Visited {
        var options = crawl.options(for: url, rules)
        options.contentTypes = []
        options.redirects = .followWithinOrigin(limit: 5)
        options.sizeLimit = Sitemap.maximumSize
        let (data, _) = try await AwaitedLoad.run(URLRequest(url: url), options: options, clock: clock)
        let sitemap = try Sitemap(data: data, at: url)
        var result = Visited()
        // An index names sitemaps, and those name pages; a deeper nesting isn't a part of the protocol.
        if visit.depth == 0 { result.found = crawl.sitemaps(sitemap.sitemaps, depth: 1) }
        for page in sitemap.pages {
            if case .load = await decision(for: page, depth: 1) {
                result.found.append(CrawlVisit(page, depth: 1, .page))
            }
        }
        return result
    }

    /// Decides by the rules that are known now; the visit itself decides by the rules of its site.
    private func decision(for url: URL, depth: Int) async -> Crawl.Decision {
        crawl.decision(for: url, depth: depth, robots: await robots.knownRules(of: url))
    }
}

extension RequestError {
    /// Whether the server says that there is no page, as opposed to a failure that may pass.
    fileprivate var isFinalRefusal: Bool {
        guard code == .status, let statusCode else { return false }
        return (400..<500).contains(statusCode) && ![408, 425, 429].contains(statusCode)
    }
}

extension HTTPURLResponse {
    /// Returns the target of a redirect; nil for another response.
    fileprivate func redirectTarget(from url: URL) -> URL? {
        guard [301, 302, 303, 307, 308].contains(statusCode),
            let place = value(forHTTPHeaderField: "Location")
        else { return nil }
        return URL(string: place, relativeTo: url)?.absoluteURL
    }
}
