import SteplineSupport

/// The output format of a parsed or selected body.
enum FetchFormat: String, Sendable, CaseIterable {
    case text, json, jsonl

    /// The file name extension for the format.
    var fileExtension: String {
        switch self {
        case .text: "txt"
        case .json: "json"
        case .jsonl: "jsonl"
        }
    }
}

extension Option<Bool> {
    static let json = Option(flag: "json", "parse bodies as JSON")
    static let xml = Option(flag: "xml", "parse bodies as XML")
    static let html = Option(flag: "html", "parse bodies as HTML")
    static let feed = Option(flag: "feed", "parse bodies as a feed: RSS, Atom or JSON Feed")
    static let raw = Option(flag: "raw", "write bodies unchanged (default without kind, --select, --format)")
    static let resume = Option(
        flag: "resume", short: "C", "keep partial files after a failure; resume them next time")
    static let follow = Option(flag: "follow", isNegatable: true, "follow redirects (on)")
}

extension Option<FetchFormat> {
    static let format = Option(
        choice: "format", short: "f", value: "FORMAT", "write text (default), json, or jsonl: a line each"
    )
}

extension Option<String> {
    static let select = Option(
        text: "select", short: "s", value: "PATH",
        "write only what a JSONPath ($.items[*].name) or an XPath (//a/@href) finds")
    static let out = Option(
        text: "out", short: "o", value: "PATH", completion: .file,
        "write to a file; for many URLs, to a folder: existing, or ending in /")
    static let input = Option(
        text: "input", short: "i", value: "FILE", completion: .file, isRepeatable: true,
        "also fetch the URLs in a file, one a line; - is stdin")
    static let header = Option(
        text: "header", short: "H", value: "NAME: VALUE", isRepeatable: true,
        "send a header; @FILE sends the lines of a file, to keep secrets off the command line")
    static let method = Option(text: "method", short: "X", value: "METHOD", "the request's method (GET)")
    static let data = Option(
        text: "data", short: "d", value: "TEXT", "send a body, with POST; @FILE sends a file, @- stdin")
}

extension Option<Int> {
    static let retries = Option(
        number: "retries", in: 0...100, "retries after transient errors: lost connections, 503 (2)")
    static let maxSize = Option(
        "max-size", value: ValueRow("SIZE", expected: "a size such as 500kB, 10MB or 2GiB"),
        "fail bodies above this size (256MiB; bytes as they come 64GiB)", parse: UnitText.bytes)
}

extension Option<Duration> {
    static let timeout = Option(
        time: "timeout", short: "t", "time limit of a transfer (1h; bytes as they come 24h)")
    static let idleTimeout = Option(time: "idle-timeout", "time limit without data (60s)")
    static let retryWait = Option(time: "retry-wait", "delay before the first retry (500ms)")
}
