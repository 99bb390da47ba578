import Foundation
import SteplineJSON
import SteplinePrograms
import SteplineRuns

/// What the `stepline` tool does.
public enum SteplineCommand {
    /// Does what the process's arguments say, and ends the process with the exit code for it.
    public static func main() async -> Never {
        OutputHandle.occupyClosed()
        // A reader of our output that has gone is an error like any other. Programs that are run from here find
        // the signal as it is by default, which they wouldn't if it were ignored.
        signal(SIGPIPE) { _ in }
        // So is a file that grows past what the process may write.
        signal(SIGXFSZ) { _ in }
        // Who has started us may have ignored it: the system would keep from us how programs have ended.
        signal(SIGCHLD, SIG_DFL)
        let session = Session.ofProcess()
        let code = await run(Array(CommandLine.arguments.dropFirst()), in: session)
        session.programs.endAll()
        exit(code.number)
    }

    /// Does what the words say.
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
            format = .asked(by: words, of: command)
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

    /// In one line; as an event where the log is JSON, so that it has no line of another kind.
    private static func complain(_ text: String, as format: LogFormat, _ session: Session) {
        guard format == .json else { return session.complain(text) }
        let entry = EventLog.Entry(
            time: Date(), task: nil, event: "error", facts: [("error", JSON(Session.oneLine(text)))])
        try? session.errors.write(EventLog.line(entry, as: format) + "\n")
    }

    /// Options before any subcommand.
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
