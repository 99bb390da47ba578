import Foundation
package import SteplineSupport

/// From which seed, and how often, tests try what is made by chance.
///
///     make stress ROUNDS=10000 SEED=42
package enum Chance {
    /// The seed that is asked for.
    package static let askedSeed = environment("STEPLINE_STRESS_SEED").flatMap { UInt64($0) }
    /// How many rounds are asked for.
    package static let askedRounds = environment("STEPLINE_STRESS_ROUNDS").flatMap { Int($0) }

    /// The first seed: the one that is asked for, or any.
    ///
    /// It is printed, so that a failure can be had again.
    package static func seed(of what: String) -> UInt64 {
        let seed = askedSeed ?? .random(in: 1...1_000_000_000)
        print("\(what): seed \(seed)")
        return seed
    }

    /// How many rounds: as many as usual, or more if they are asked for.
    package static func rounds(_ usual: Int) -> Int { max(usual, askedRounds ?? 0) }

    private static func environment(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name]
    }
}

extension StableRandom: RandomNumberGenerator {}

extension StableRandom {
    /// Whether it comes to that, which it does so often among all.
    package mutating func chance(_ times: Int, in all: Int) -> Bool {
        Int.random(in: 0..<all, using: &self) < times
    }
}
