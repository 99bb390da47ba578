/// What the process ends with, for scripts.
struct ExitCode: Sendable, Hashable {
    let number: Int32
    /// What it means, for the help.
    let meaning: String

    /// All went well.
    static let success = ExitCode(number: 0, meaning: "everything succeeded")
    /// Something failed; stderr says what.
    static let failure = ExitCode(number: 1, meaning: "something failed; each failure is a line on stderr")
    /// The command line is wrong; nothing was done.
    static let usage = ExitCode(number: 2, meaning: "the command line is wrong; nothing was done")
    /// The workflow file has mistakes; nothing was run.
    static let mistakes = ExitCode(number: 3, meaning: "the workflow file has mistakes; nothing was run")
    /// Ctrl-C.
    static let interrupted = ExitCode(number: 130, meaning: "interrupted by Ctrl-C (SIGINT)")
    /// Who reads the output has gone.
    static let brokenPipe = ExitCode(number: 141, meaning: "the reader of the output has gone")
    /// Told to end.
    static let terminated = ExitCode(number: 143, meaning: "ended by SIGTERM")

    /// Ended by a signal: 128 and its number, as shells have it.
    static func signalled(_ signal: Int32) -> ExitCode {
        all.first { $0.number == 128 + signal }
            ?? ExitCode(number: 128 + signal, meaning: "ended by a signal")
    }

    /// All of them, as they are documented.
    static let all: [ExitCode] = [
        .success, .failure, .usage, .mistakes, .interrupted, .brokenPipe, .terminated,
    ]
}
