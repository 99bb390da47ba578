/// The exit status of the process.
struct ExitCode: Sendable, Hashable {
    let number: Int32
    /// The meaning, for the help.
    let meaning: String

    /// Everything succeeded.
    static let success = ExitCode(number: 0, meaning: "everything succeeded")
    /// At least one failure, described on standard error.
    static let failure = ExitCode(number: 1, meaning: "something failed; each failure is a line on stderr")
    /// The command line is wrong; nothing was done.
    static let usage = ExitCode(number: 2, meaning: "the command line is wrong; nothing was done")
    /// The workflow file has errors; nothing ran.
    static let mistakes = ExitCode(number: 3, meaning: "the workflow file has mistakes; nothing was run")
    /// Interrupted by Ctrl-C.
    static let interrupted = ExitCode(number: 130, meaning: "interrupted by Ctrl-C (SIGINT)")
    /// The reader of the output is gone.
    static let brokenPipe = ExitCode(number: 141, meaning: "the reader of the output has gone")
    /// Terminated by SIGTERM.
    static let terminated = ExitCode(number: 143, meaning: "ended by SIGTERM")

    /// Returns the status after a signal: 128 plus its number, like shells.
    static func signalled(_ signal: Int32) -> ExitCode {
        all.first { $0.number == 128 + signal }
            ?? ExitCode(number: 128 + signal, meaning: "ended by a signal")
    }

    /// All documented statuses.
    static let all: [ExitCode] = [
        .success, .failure, .usage, .mistakes, .interrupted, .brokenPipe, .terminated,
    ]
}
