import Dispatch
import Foundation
import SteplineTesting
import TestSupport
import Testing

/// How much is tried, and from which seed; the same for every stress suite.
///
///     make stress ROUNDS=10000 SEED=42
enum StressRun {
    /// Random programs a suite tries.
    static let rounds = Chance.givenRounds ?? 150

    /// Plays of each program: fewer in a run of all tests than CI asks for.
    private static let plays =
        ProcessInfo.processInfo.environment["STEPLINE_PLAYS"].flatMap(UInt64.init)
        ?? UInt64(Chance.givenRounds ?? 40) * 10

    /// Where the random numbers begin; every failure names the seed of its own round.
    static let seed = Chance.givenSeed ?? .random(in: 1...1_000_000)

    /// Plays programs made from seeds, and says how many orders were seen.
    static func play(
        _ what: String, _ scenario: @escaping @Sendable (Simulation) async throws -> Void
    ) async throws {
        let seen = try await explore(seeds: seed...seed + plays, scenario)
        // CI gathers these lines.
        print("played \(what): seed \(seed), \(seen.plays) plays, \(seen.schedules) schedules")
        #expect(seen.schedules > seen.plays / 2 && seen.foreign.isEmpty && seen.idleFaults.isEmpty)
    }
}

/// Holds the thread that calls it until another one has begun.
func holdThread() {
    let other = DispatchSemaphore(value: 0)
    Thread.detachNewThread { other.signal() }
    other.wait()
}

/// Random numbers that can be had again by their seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &self) < one }
}
