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
    static let json = Option(flag: "json", "take what comes for JSON")
    static let xml = Option(flag: "xml", "take what comes for XML")
    static let html = Option(flag: "html", "take what comes for HTML")
    static let feed = Option(flag: "feed", "take what comes for a feed: RSS, Atom or JSON Feed")
    static let raw = Option(flag: "raw", "write the bytes as they come (the default, if nothing is selected)")
    static let resume = Option(
        flag: "resume", short: "C", "keep parts of files after a failure, and resume them next time")
    static let follow = Option(flag: "follow", isNegatable: true, "follow redirects (on)")
}

extension Option<FetchFormat> {
    static let format = Option(
        choice: "format", short: "f", value: "FORMAT", "write text (the default), json, or jsonl: a line each"
    )
}

extension Option<String> {
    static let select = Option(
        text: "select", short: "s", value: "PATH",
        "write only what a JSONPath ($.items[*].name) or an XPath (//a/@href) finds")
    static let out = Option(
        text: "out", short: "o", value: "PATH", completion: .file,
        "write to a file, or with many URLs, or a slash at its end, into a folder")
    static let input = Option(
        text: "input", short: "i", value: "FILE", completion: .file, isRepeatable: true,
        "fetch the URLs of a file too, one a line; - is stdin")
    static let header = Option(
        text: "header", short: "H", value: "NAME: VALUE", isRepeatable: true,
        "send a header line; @FILE sends the lines of a file, which keeps secrets off the command line")
    static let method = Option(text: "method", short: "X", value: "METHOD", "the request's method (GET)")
    static let data = Option(
        text: "data", short: "d", value: "TEXT", "send a body, by POST; @FILE sends a file, @- stdin")
}

extension Option<Int> {
    static let retries = Option(
        number: "retries", in: 0...100, "how often to try again what may pass: lost connections, 503 (2)")
    static let maxSize = Option(
        "max-size", value: ValueRow("SIZE", expected: "a size such as 500k, 10M or 2G"),
        "fail what has more bytes (256M; into files 64G)", parse: UnitText.bytes)
}

extension Option<Duration> {
    static let timeout = Option(
        time: "timeout", short: "t", "how long a transfer may take (1h; into files 24h)")
    static let idleTimeout = Option(time: "idle-timeout", "how long a server may be silent (60s)")
    static let retryWait = Option(time: "retry-wait", "how long to wait before the first retry (500ms)")
}
