import Foundation
import SteplineRequests
import SteplineSupport

extension Crawl {
    /// Returns the options of a page's load from a site with these rules.
    func options(for url: URL, _ rules: RobotsRules) -> LoadOptions {
        var options = options(of: url)
        options.redirects = .refuse
        options.contentTypes = ["text/html", "application/xhtml+xml"]
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
    func sitemaps(_ urls: [URL], depth: Int) -> [CrawlVisit] {
        urls.filter { URLParts($0.normalized).map { hosts.contains($0.hostName) } ?? false }
            .map { CrawlVisit($0, depth: depth, .sitemap) }
    }

    /// Returns the limits of a host that asks for a delay.
    private func hostLimits(_ asked: Duration?) -> HostLimits {
        let asked = obeysRobots ? min(asked ?? .zero, maximumDelay) : .zero
        let interval = max(delay, asked).inSeconds
        return HostLimits(
            connections: connectionsPerHost, requestsPerSecond: interval > 0 ? 1 / interval : nil)
    }
}
