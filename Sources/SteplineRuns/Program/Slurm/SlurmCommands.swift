import Foundation
import SteplinePrograms
import SteplineSupport

/// Slurm's own programs, which are found by `PATH` and called with words that no shell sees.
struct SlurmCommands: Sendable {
    /// How long one may take: longer than it waits for a controller that is busy.
    static let timeLimit = Duration.seconds(60)

    let environment: [String: String]
    let clock: any StepClock

    /// What one of them writes; throws a ``SlurmError`` if it fails or takes too long.
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
