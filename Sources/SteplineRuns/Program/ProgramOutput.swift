import Foundation

/// The output of a program: results and messages.
struct ProgramOutput: Sendable {
    let environment: [String: String]
    let write: @Sendable (String) -> Void
    let complain: @Sendable (String) -> Void

    /// Creates the output of this process.
    static func ofProcess() -> ProgramOutput {
        ProgramOutput(environment: ProcessInfo.processInfo.environment) { text in
            try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } complain: { text in
            try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        }
    }
}

/// Ends the process.
func exitProcess(_ code: Int32) -> Never { exit(code) }
