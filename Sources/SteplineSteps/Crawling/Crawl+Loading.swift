import Foundation
import SteplineRequests
import SteplineSupport

extension Crawl {
    /// Returns the options of a visit's load from a site with these rules.
    func options(for url: URL, _ rules: RobotsRules, _ kind: CrawlVisit.Kind) -> LoadOptions {
        var options = options(of: url)
        options.redirects = .refuse
        options.contentTypes = kind == .sitemap ? [] : ["text/html", "application/xhtml+xml"]
        if kind == .sitemap { options.sizeLimit = Sitemap.maximumSize }
        options.perHost = hostLimits(rules.crawlDelay)
        return options
    }

    /// Returns the options of all loads from a site, before its rules are known.
    func options(of url: URL) -> LoadOptions {
        // Credentials in the headers are meant for the sites of the starts.
        let isOfStart = starts.contains { $0.origin == url.origin }
        var options = isOfStart ? load : load.withoutBoundHeaders
        options.headers["User-Agent"] = agent
        options.perHost = hostLimits(nil)
        return options
    }

    /// Returns the visits of sitemaps on the hosts of the crawl: a server mustn't choose another host.
    func sitemaps(_ urls: [URL], depth: Int, via: [String]? = nil) -> [CrawlVisit] {
        urls.map(\.normalized).filter { url in
            guard let parts = URLParts(url), parts.user.isEmpty else { return false }
            return parts.isWeb && hosts.contains(parts.hostName)
        }.map { CrawlVisit(normal: $0, depth: depth, .sitemap, via: via) }
    }

    /// Returns the limits of a host that asks for a delay.
    private func hostLimits(_ asked: Duration?) -> HostLimits {
        let asked = obeysRobots ? min(asked ?? .zero, maximumDelay) : .zero
        let interval = max(delay, asked).inSeconds
        var limits = HostLimits(
            connections: connectionsPerHost, requestsPerSecond: interval > 0 ? 1 / interval : nil)
        limits.coversAllPorts = true
        return limits
    }
}
