import Foundation
import SteplinePrograms
import SteplineRuns
import SteplineSupport
import SteplineWorkflow

/// The environment of a command's run: files, variables, folder, signals and clock.
///
/// The command takes none of these from the process, so that several runs can share a process, as in tests. Exceptions
/// are libcurl and libpq, which read proxies, certificates and `PG…` from the process environment.
struct Session: Sendable {
    /// The output of results.
    let output: OutputHandle
    /// The output of errors, progress and logs.
    let errors: OutputHandle
    let environment: [String: String]
    /// The folder for relative paths.
    let folder: URL
    /// The file for the operand `-`.
    var input: FileHandle = .standardInput
    /// The signals that end the run; nil for those of the process.
    var signals: SentSignals?
    /// The running programs started by this run.
    var programs: LivePrograms = .shared
    /// The clock of time limits, retries, rates and deadlines.
    var clock: any StepClock = .system

    /// The session of this process.
    static func ofProcess() -> Session {
        Session(
            output: OutputHandle(descriptor: STDOUT_FILENO), errors: OutputHandle(descriptor: STDERR_FILENO),
            environment: ProcessInfo.processInfo.environment,
            folder: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
    }

    /// Writes an error as one line on standard error: `stepline: text`.
    func complain(_ text: String) {
        // Standard error is closed: the error can't be reported.
        try? errors.write("stepline: \(Self.oneLine(text))\n")
    }

    /// Returns the location of a path from the command line.
    func place(_ path: String) -> URL { URL(filePath: path, relativeTo: folder).absoluteURL }

    /// Replaces control characters by blanks, so that the text stays on one line and can't control the terminal.
    static func oneLine(_ text: String) -> String { RunsText.oneLine(text) }
}

extension Unicode.Scalar {
    /// Whether the character could control a terminal.
    var isControl: Bool { properties.generalCategory == .control }
}
