import Foundation
import SteplinePrograms
import SteplineSupport

/// The command-line programs of Slurm, found in `PATH` and called without a shell.
struct SlurmCommands: Sendable {
    /// The time limit of one call, longer than Slurm's own wait for a busy controller.
    static let timeLimit = Duration.seconds(60)

    let environment: [String: String]
    let clock: any StepClock

    /// Returns the output of a program; throws a ``SlurmError`` if it fails or exceeds the time limit.
    func output(
        of name: String, _ arguments: [String], variables: [String: String] = [:], input: String? = nil
    ) async throws -> String {
        let program: URL
        do {
            program = try ProgramCall.executable(name, in: environment["PATH"] ?? "")
        } catch {
            throw SlurmError(.missing, "there is no \(name) in PATH: is Slurm installed on this machine?")
        }
        let call = ProgramCall(
            name: name, executable: program, arguments: arguments,
            // The given variables win over those of this process.
            environment: environment.merging(variables) { $1 },
            folder: URL(filePath: FileManager.default.currentDirectoryPath),
            input: input.map { Data($0.utf8) }, limit: 1 << 24, timeLimit: Self.timeLimit)
        do {
            return String(decoding: try await ProgramRun.output(of: call, clock: clock), as: UTF8.self)
        } catch let failure as ProgramFailure {
            throw SlurmError(failure, of: name)
        }
    }
}
