import Foundation
import SteplineRequests
import SteplineSteps
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The validated request of `fetch`.
struct FetchPlan: Sendable {
    /// The destination of results.
    enum Target: Sendable {
        case output
        case file(URL)
        case folder(URL)
    }

    /// The default number of simultaneous fetches.
    static let usualJobs = 8

    let urls: [URL]
    /// Nil for what the content type says.
    let kind: FlowFormat?
    let selection: FlowQuery?
    let output: FetchFormat
    /// Whether bodies are written as they come.
    let isRaw: Bool
    let target: Target
    let method: String
    let load: LoadOptions
    let download: DownloadOptions
    let save: FileSaveOptions
    let retry: RetryPolicy
    let jobs: Int
    /// The input files.
    let inputs: [NamedFile]
    /// The output files, except those whose names are derived from URLs.
    let outputs: [NamedFile]

    init(_ arguments: Arguments, _ session: Session) throws {
        let flags: [(Option<Bool>, FlowFormat)] = [
            (.json, .json), (.xml, .xml), (.html, .html), (.feed, .feed),
        ]
        let kinds = flags.filter { arguments.isOn($0.0) }.map(\.1)
        let wantsRaw = arguments.isOn(.raw)
        if kinds.count + (wantsRaw ? 1 : 0) > 1 {
            throw UsageError("only one of --json, --xml, --html, --feed and --raw is allowed")
        }
        kind = kinds.first
        selection = try arguments[.select].map { text throws(UsageError) in try FlowQuery(selecting: text) }
        output = arguments[.format] ?? .text
        isRaw = kind == nil && selection == nil && arguments[.format] == nil
        if wantsRaw, !isRaw {
            throw UsageError("--raw writes bytes as they come: nothing is selected or formatted")
        }
        try Self.check(selection, fits: kind)
        urls = try FetchSource.urls(arguments, session)
        target = try Self.target(arguments[.out], session, count: urls.count)
        if arguments.isOn(.resume) {
            if !isRaw {
                throw UsageError("--resume is for bytes as they come: nothing is selected or formatted")
            }
            if case .output = target { throw UsageError("--resume needs --out") }
            if arguments[.cache] != nil { throw UsageError("only one of --resume and --cache is allowed") }
        }
        let body = try FetchSource.body(arguments, session)
        method = arguments[.method]?.uppercased() ?? (arguments[.data] == nil ? "GET" : "POST")
        let connections = Connections(arguments, session)
        let headers = try FetchSource.headers(arguments, session)
        load = connections.applied(to: Self.load(arguments, headers, body, LoadOptions()))
        var download = DownloadOptions()
        download.load = connections.applied(to: Self.load(arguments, headers, body, download.load))
        download.resumes = arguments.isOn(.resume)
        // Names in a folder come from URLs: an existing link could lead to any file.
        if case .folder = target { download.followsLinks = false }
        self.download = download
        var save = FileSaveOptions()
        save.followsLinks = download.followsLinks
        self.save = save
        retry = .exponential(
            attempts: (arguments[.retries] ?? 2) + 1, base: arguments[.retryWait] ?? .milliseconds(500))
        jobs = arguments[.jobs] ?? Self.usualJobs
        inputs = FetchSource.files(arguments, session)
        var outputs: [NamedFile] = []
        if let jar = arguments[.cookies] {
            outputs.append(NamedFile("--cookies", session.place(jar)))
            try CookieJarCheck.check(session.place(jar), named: jar)
        }
        if case .file(let file) = target { outputs.append(NamedFile("--out", file)) }
        self.outputs = outputs
        try NamedFile.check(outputs: outputs, inputs: inputs)
    }

    private static func check(_ selection: FlowQuery?, fits kind: FlowFormat?) throws(UsageError) {
        switch (selection?.isXPath, kind) {
        case (true, .json), (true, .feed):
            throw UsageError(
                "--select: an XPath finds nothing in \(kind?.rawValue ?? ""); use a JSONPath: $.…")
        case (false, .xml), (false, .html):
            throw UsageError(
                "--select: a JSONPath finds nothing in \(kind?.rawValue ?? ""); use an XPath: //…")
        default: break
        }
    }

    private static func target(_ out: String?, _ session: Session, count: Int) throws(UsageError) -> Target {
        guard let out, out != "-" else { return .output }
        let place = session.place(out)
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder)
        if out.ends(with: "/") || (exists && isFolder.boolValue) { return .folder(place) }
        if count > 1 {
            throw UsageError("--out: \(count) URLs need a folder, not a file: --out \(out)/")
        }
        return .file(place)
    }

    private static func load(
        _ arguments: Arguments, _ headers: [String: String], _ body: RequestBody, _ defaults: LoadOptions
    ) -> LoadOptions {
        var options = defaults
        options.headers.merge(headers) { $1 }
        if !options.headers.keys.contains(where: { $0.lowercased() == "user-agent" }) {
            options.headers["User-Agent"] = Version.agent
        }
        options.body = body
        if arguments[.follow] == false { options.redirects = .refuse }
        if let size = arguments[.maxSize] { options.sizeLimit = size }
        if let time = arguments[.timeout] { options.totalTimeout = time }
        options.idleTimeout = arguments[.idleTimeout]
        return options
    }
}
