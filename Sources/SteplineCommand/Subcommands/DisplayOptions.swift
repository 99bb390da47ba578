/// The form in which a run is reported.
enum LogFormat: String, Sendable, CaseIterable {
    /// A status line on a terminal, lines on a simple terminal, nothing elsewhere.
    case auto
    /// A line for each event.
    case text
    /// A JSON object for each event.
    case json
}

extension LogFormat {
    /// Returns the requested format of a command line that may have errors.
    static func asked(by words: [String]) -> LogFormat {
        let long = "--\(Option.logFormat.row.name)"
        let isAsked =
            words.contains("\(long)=json")
            || zip(words, words.dropFirst()).contains { $0 == long && $1 == "json" }
        return isAsked ? .json : .auto
    }
}

extension Option<Bool> {
    static let force = Option(
        flag: "force",
        "overwrite any existing file, not only an earlier output of the same kind")
    static let quiet = Option(flag: "quiet", short: "q", "show no progress; errors are still shown")
    static let runObject = Option(
        flag: "json",
        "write one JSON object with result, tasks, times and failures to stdout; events: --log-format json")
    static let plain = Option(
        flag: "plain", "print lines instead of a status line, for screen readers: --log-format text")
    static let color = Option(
        flag: "color", isNegatable: true, "use colours on a terminal (on unless NO_COLOR is set)")
    static let failFast = Option(flag: "fail-fast", short: "F", "stop all work at the first failure")
}

extension Option<LogFormat> {
    static let logFormat = Option(
        choice: "log-format", value: "FORMAT",
        "the log on stderr: auto (live on a terminal, text on a dumb one), text or json")
}

extension Arguments {
    /// The requested format.
    var logFormat: LogFormat { self[.logFormat] ?? (isOn(.plain) ? .text : .auto) }
}

extension Option<String> {
    static let print = Option(
        text: "print", value: "TASK", completion: .tasks,
        "write this task's value to stdout instead of the run's result")
    static let report = Option(
        text: "report", value: "FILE", completion: .file, "write a report of the run as an HTML page")
    static let trace = Option(
        text: "trace", value: "FILE", completion: .file,
        "write a trace of the run, for Chrome and Perfetto")
}

extension Option<Int> {
    static let jobs = Option(number: "jobs", short: "j", in: 1...1024, "how many at once (8)")
}

extension Subcommand.Group {
    /// The options of all subcommands that run something.
    static let display = Subcommand.Group(
        title: "Display",
        rows: [
            Option.quiet.row, Option.plain.row, Option.logFormat.row, Option.color.row, Option.report.row,
            Option.trace.row,
            Option.force.row,
        ])

    /// The options for runs of workflow files; `--json` of `fetch` has another meaning.
    static let displayOfRuns = Subcommand.Group(
        title: display.title, rows: [Option.print.row, Option.runObject.row] + display.rows)
}
