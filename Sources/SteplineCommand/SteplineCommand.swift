import Foundation
import SteplineJSON
import SteplinePrograms
import SteplineRuns

/// The `stepline` command as a library.
///
/// `main` prepares the process and calls `run`, which selects a subcommand. Tests call `run` with a `Session` of their
/// own, which contains everything that a process would provide: arguments, environment, streams, clock and signals.
public enum SteplineCommand {
    /// Executes the command in the process's arguments, and ends the process with its exit status.
    public static func main() async -> Never {
        OutputHandle.occupyClosed()
        // A closed reader of standard output must be an error, not the end of the process. A handler instead of
        // SIG_IGN: child processes inherit an ignored signal, but not a handler.
        signal(SIGPIPE) { _ in }
        // The same for a file that exceeds the process's size limit.
        signal(SIGXFSZ) { _ in }
        // The parent process may have ignored SIGCHLD. The kernel would then discard the exit status of child
        // processes.
        signal(SIGCHLD, SIG_DFL)
        let session = Session.ofProcess()
        let code = await run(Array(CommandLine.arguments.dropFirst()), in: session)
        session.programs.endAll()
        exit(code.number)
    }

    /// Executes a command line and returns its exit status.
    static func run(_ words: [String], in session: Session) async -> ExitCode {
        var place = "stepline"
        var format = LogFormat.auto
        do {
            guard let name = words.first else {
                try session.errors.write(HelpText.overview)
                return .usage
            }
            if name.hasPrefix("-") { return try answer(name, words.dropFirst(), session) }
            let command = try Subcommand.named(name)
            place += " \(name)"
            format = .asked(by: words)
            let arguments = try ArgumentParser.parse(words.dropFirst(), by: command.rows)
            if arguments.isOn(.help) {
                try session.output.write(HelpText.text(of: command))
                return .success
            }
            try command.check(arguments)
            return try await command.run(arguments, session)
        } catch let error as UsageError {
            complain("\(error) (\(place) --help)", as: format, session)
            return .usage
        } catch let error as RunsError where error.isUsage {
            complain("\(error) (\(place) --help)", as: format, session)
            return .usage
        } catch let error as OutputError where error.isReaderGone {
            return .brokenPipe
        } catch {
            complain("\(error)", as: format, session)
            return .failure
        }
    }

    /// Writes an error as one line; as an event if the log is JSON, so that all lines have one format.
    private static func complain(_ text: String, as format: LogFormat, _ session: Session) {
        guard format == .json else { return session.complain(text) }
        let entry = EventLog.Entry(
            time: Date(), task: nil, event: "error", facts: [("error", JSON(Session.oneLine(text)))])
        try? session.errors.write(EventLog.line(entry, as: format) + "\n")
    }

    /// Answers an option before any subcommand.
    private static func answer(
        _ word: String, _ rest: ArraySlice<String>, _ session: Session
    ) throws -> ExitCode {
        switch word {
        case "--help", "-h": try session.output.write(HelpText.overview)
        case "--version", "-V": try session.output.write("stepline \(Version.text)\n")
        default:
            throw UsageError("unknown option \(word)" + Guess.question(word, among: ["--help", "--version"]))
        }
        return .success
    }
}
