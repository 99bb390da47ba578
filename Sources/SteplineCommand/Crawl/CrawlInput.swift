import Foundation
import SteplineRuns
import SteplineSteps

/// The options of a crawl that decide what its store holds, as stored with the run.
///
/// A crawl continues with the same ones. Other options, such as `--at-most`, `--delay` and `--jobs`, may change.
struct CrawlInput: Codable, Hashable {
    let crawl: [String]
    let select: [String]
    let depth: Int?
    let hosts: [String]
    let include: [String]
    let exclude: [String]
    /// Which rules of robots.txt apply depends on the name.
    let agent: String?
    let ignoresRobots: Bool
    let usesSitemaps: Bool

    init(_ arguments: Arguments, _ urls: [URL], _ hosts: [String]) {
        crawl = urls.map(\.normalized.absoluteString)
        select = arguments.all(.columns)
        depth = arguments[.depth]
        self.hosts = hosts
        include = arguments.all(.includedPaths)
        exclude = arguments.all(.excludedPaths)
        agent = arguments[.agent]
        ignoresRobots = arguments.isOn(.ignoresRobots)
        usesSitemaps = arguments.isOn(.usesSitemaps)
    }

    /// Decodes a stored input; nil if it doesn't belong to a crawl.
    init?(kept: Data?) {
        guard let kept, let input = try? JSONDecoder().decode(Self.self, from: kept) else { return nil }
        self = input
    }

    func data() throws -> Data { Data(try RunsText.json(self).utf8) }

    /// Returns the command that continues the crawl, without its output and the options that may change.
    func command(store: String, key: String, isRetry: Bool) -> String {
        var words = ["--store", store, "--key", key]
        if isRetry { words.append("--\(Option.retryingFailures.row.name)") }
        return "stepline crawl \(self.words) " + words.map(RunsText.quoted).joined(separator: " ")
    }

    /// The input as words of a command line.
    var words: String {
        var words = crawl
        func add(_ option: OptionRow, _ values: [String]) {
            for value in values { words += ["--\(option.name)", value] }
        }
        add(Option.columns.row, select)
        add(Option.depth.row, depth.map { ["\($0)"] } ?? [])
        add(Option.hosts.row, hosts)
        add(Option.includedPaths.row, include)
        add(Option.excludedPaths.row, exclude)
        add(Option.agent.row, agent.map { [$0] } ?? [])
        if ignoresRobots { words.append("--\(Option.ignoresRobots.row.name)") }
        if usesSitemaps { words.append("--\(Option.usesSitemaps.row.name)") }
        return words.map(RunsText.quoted).joined(separator: " ")
    }
}
