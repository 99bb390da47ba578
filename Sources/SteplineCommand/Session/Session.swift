import Foundation
import SteplinePrograms
import SteplineRuns
import SteplineSupport

/// The surroundings of a run of the command: its files, environment, folder, signals and clock.
///
/// The command takes none of these from the process, so runs with their own sessions can share a process. libcurl and
/// libpq are the exception: they read proxies, certificates and `PG…` from the environment of the process.
struct Session: Sendable {
    /// Where results go.
    let output: OutputHandle
    /// Where errors, progress and logs go.
    let errors: OutputHandle
    let environment: [String: String]
    /// What relative paths are relative to.
    let folder: URL
    /// The file that `-` stands for.
    var input: FileHandle = .standardInput
    /// The signals that end the run; nil for those of the process.
    var signals: SentSignals?
    /// The external programs that the run has started and that still run.
    var programs: LivePrograms = .shared
    /// The clock of time-outs, retries, rates and deadlines.
    var clock: any StepClock = .system

    /// The session of this process.
    static func ofProcess() -> Session {
        Session(
            output: OutputHandle(descriptor: STDOUT_FILENO), errors: OutputHandle(descriptor: STDERR_FILENO),
            environment: ProcessInfo.processInfo.environment,
            folder: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
    }

    /// Tells what went wrong, in one line on stderr: `stepline: text`.
    func complain(_ text: String) {
        // There is nobody left to tell that stderr is closed.
        try? errors.write("stepline: \(Self.oneLine(text))\n")
    }

    /// The place of a path given on the command line.
    func place(_ path: String) -> URL { URL(filePath: path, relativeTo: folder).absoluteURL }

    /// The text with line breaks and control characters as blanks, so that it is one line and moves no cursor.
    static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.isControl) else { return text }
        let parts = text.unicodeScalars.split(whereSeparator: \.isControl)
        return parts.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    }
}

extension Unicode.Scalar {
    /// Whether it would do something to a terminal.
    var isControl: Bool { properties.generalCategory == .control }
}
