import Dispatch
import Foundation
import SteplineTesting
import TestSupport
import Testing

/// The amounts and seeds of all stress suites.
///
/// By default each suite tries a few programs of the fixed seed. `make stress ROUNDS=10000 SEED=42` tries more.
/// `STEPLINE_SEED=n STEPLINE_ROUNDS=1` repeats a program that failed: each failure names the seed of its program.
enum StressRun {
    /// The number of programs that a suite plays.
    private static let plays = Chance.givenPlays ?? Chance.givenRounds.map { UInt64($0) * 10 } ?? 40

    /// The time limit of each suite.
    static let timeLimit: TimeLimitTrait.Duration =
        .minutes(Chance.givenPlays == nil && Chance.givenRounds == nil ? 5 : 20)

    /// Returns the seeds of the programs that run on threads: as many as `STEPLINE_ROUNDS` says, or else the usual
    /// number.
    static func seeds(_ usual: Int) -> [UInt64] {
        (0..<UInt64(Chance.givenRounds ?? usual)).map { Chance.seed &+ $0 }
    }

    /// Plays programs made from seeds, and prints the number of orders that were tried.
    static func play(
        _ what: String, _ scenario: @escaping @Sendable (Simulation) async throws -> Void
    ) async throws {
        let seen = try await explore(seeds: Chance.seed...Chance.seed + max(1, plays) - 1, scenario)
        // CI gathers these lines.
        print("played \(what): seed \(Chance.seed), \(seen.plays) plays, \(seen.schedules) schedules")
        #expect(seen.schedules > seen.plays / 2 && seen.foreign.isEmpty && seen.idleFaults.isEmpty)
    }
}

/// Blocks the calling thread until another thread has begun.
func holdThread() {
    let other = DispatchSemaphore(value: 0)
    Thread.detachNewThread { other.signal() }
    other.wait()
}
