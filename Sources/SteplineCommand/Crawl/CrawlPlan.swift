import Foundation
import SteplineRequests
import SteplineSteps
import SteplineSupport

/// The validated request of `crawl`.
struct CrawlPlan: Sendable {
    /// The default number of simultaneous loads.
    static let usualJobs = 8

    let crawl: Crawl
    let columns: [CrawlColumn]
    let lines: CrawlLines
    /// The file of the rows; nil for standard output.
    let file: URL?
    let retry: RetryPolicy
    let input: CrawlInput

    init(_ arguments: Arguments, _ session: Session) throws {
        let urls = try FetchSource.urls(arguments, session)
        if urls.contains(where: { $0.user != nil }) {
            throw UsageError("a URL contains a user; send --header 'Authorization: …' instead")
        }
        if arguments.isOn(.ignoresRobots), arguments[.agent] == nil {
            throw UsageError("--ignore-robots needs --agent: the name by which servers know the crawler")
        }
        columns = try CrawlColumn.columns(arguments.all(.columns))
        file = arguments[.rowsTo].flatMap { $0 == "-" ? nil : session.place($0) }
        lines = CrawlLines(
            format: try Self.format(arguments), columns: [CrawlColumn.url] + columns.map(\.name))
        retry = .exponential(
            attempts: (arguments[.retries] ?? 2) + 1, base: arguments[.retryWait] ?? .milliseconds(500))
        let hosts = try Self.hosts(arguments)
        var crawl = Crawl(
            from: urls, agent: arguments[.agent] ?? Version.agent, atMost: arguments[.atMost] ?? 10_000)
        crawl.hosts.formUnion(hosts)
        crawl.maximumDepth = arguments[.depth]
        crawl.include = arguments.all(.includedPaths)
        crawl.exclude = arguments.all(.excludedPaths)
        crawl.obeysRobots = !arguments.isOn(.ignoresRobots)
        crawl.usesSitemaps = arguments.isOn(.usesSitemaps)
        crawl.delay = arguments[.crawlDelay] ?? .zero
        crawl.limit = arguments[.jobs] ?? Self.usualJobs
        if let jobs = arguments[.jobs] { crawl.connectionsPerHost = jobs }
        let size = crawl.load.sizeLimit
        crawl.load = Connections(arguments, session).applied(to: crawl.load)
        crawl.load.headers = try FetchSource.headers(arguments, session)
        crawl.load.sizeLimit = arguments[.pageSize] ?? size
        if let time = arguments[.timeout] { crawl.load.totalTimeout = time }
        crawl.load.idleTimeout = arguments[.idleTimeout]
        do { try crawl.check() } catch { throw UsageError("\(error)") }
        self.crawl = crawl
        input = CrawlInput(arguments, urls, hosts.sorted())
    }

    private static func format(_ arguments: Arguments) throws(UsageError) -> CrawlFormat {
        if let format = arguments[.rowFormat] { return format }
        guard let name = arguments[.rowsTo], name != "-" else { return .jsonl }
        switch name.split(separator: ".").last?.lowercased() {
        case "csv": return .csv
        case "jsonl", "ndjson": return .jsonl
        default: throw UsageError("--to \(name): the name ends in neither .jsonl nor .csv; add --format")
        }
    }

    /// Returns the hosts of `--hosts` in ASCII.
    private static func hosts(_ arguments: Arguments) throws(UsageError) -> Set<String> {
        var hosts: Set<String> = []
        for text in arguments.all(.hosts).flatMap({ $0.split(separator: ",") }) {
            let name = text.withoutOuterBlanks
            guard let url = URL(string: "http://\(name)/")?.normalized, url.port == nil, url.user == nil,
                url.path(percentEncoded: true) == "/", let host = url.host(percentEncoded: false),
                !host.isEmpty
            else { throw UsageError("--hosts: '\(Session.oneLine(name))' is no name of a host") }
            hosts.insert(host)
        }
        return hosts
    }

    /// Returns the row of a page.
    func row(of page: CrawledPage) throws -> CrawlRow {
        CrawlRow(url: page.url.absoluteString, values: try columns.map { try $0.value(in: page) })
    }
}
