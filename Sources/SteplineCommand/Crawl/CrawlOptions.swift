import SteplineSupport

/// The format of a crawl's rows.
enum CrawlFormat: String, Sendable, CaseIterable {
    case jsonl, csv
}

extension Option<CrawlFormat> {
    static let rowFormat = Option(
        choice: "format", short: "f", value: "FORMAT",
        "write jsonl (default), a line of JSON each, or csv; .csv in the name of --to means csv")
}

extension Option<String> {
    static let columns = Option(
        text: "select", short: "s", value: "COLUMNS", isRepeatable: true,
        "the columns beside url, separated by commas: element names or XPaths, also NAME=XPATH (title)")
    static let rowsTo = Option(
        text: "to", value: "FILE", completion: .file, "write the rows to a file; - is stdout (default)")
    static let hosts = Option(
        text: "hosts", value: "HOSTS", isRepeatable: true,
        "also load pages of these hosts, separated by commas")
    static let includedPaths = Option(
        text: "include", value: "PATTERN", isRepeatable: true,
        "load only pages whose path matches, such as '/docs/*' or '*.html$'")
    static let excludedPaths = Option(
        text: "exclude", value: "PATTERN", isRepeatable: true, "don't load pages whose path matches")
    static let agent = Option(
        text: "agent", value: "NAME", "the crawler's name, for servers and robots.txt (\(Version.agent))")
    static let crawlKey = Option(text: "key", value: "KEY", "which crawl of the store it is (the first URL)")
}

extension Option<Bool> {
    static let ignoresRobots = Option(
        flag: "ignore-robots", "ignore robots.txt, noindex and nofollow; needs --agent")
    static let usesSitemaps = Option(
        flag: "sitemap", "also load the pages in the sitemaps that robots.txt names")
}

extension Option<Int> {
    static let atMost = Option(
        number: "at-most", short: "n", in: 1...10_000_000,
        "the maximum number of loads, including redirects and sitemaps (10000)")
    static let depth = Option(
        number: "depth", in: 0...1_000_000, "the maximum number of links from a URL given to a page")
    static let pageSize = Option(
        "max-size", value: ValueRow("SIZE", expected: "a size such as 500k, 10M or 2G"),
        "fail pages above this size (10MiB)", parse: UnitText.bytes)
}

extension Option<Duration> {
    static let crawlDelay = Option(
        time: "delay", "the minimum time between two requests to a host; robots.txt may ask for more")
}
