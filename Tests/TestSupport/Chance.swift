import Foundation
package import Testing

/// Seeds and amounts of the tests that try what is random.
///
/// `make test` and `.ci/run` use the fixed seed and the usual amounts, so two runs try the same. `make soak` sets fresh
/// seeds and larger amounts:
///
/// | variable | sets |
/// |---|---|
/// | `STEPLINE_SEED` | the seed; a failure in soak names it |
/// | `STEPLINE_ROUNDS` | the rounds of each model and random program, if there are fewer |
/// | `STEPLINE_PLAYS` | the orders that are played of each stress program |
/// | `STEPLINE_CHAOS_SEEDS` | the seeds through which durable runs are disturbed |
/// | `STEPLINE_ALONE` | also runs tests that count bytes in use, and need the process for themselves |
/// | `STEPLINE_SOAK` | also runs tests that measure time, memory or threads |
package enum Chance {
    /// The first seed of all that is random: the one that is set, or 1.
    package static let seed = number("STEPLINE_SEED") ?? 1
    /// The seed that is set, if one is.
    package static let givenSeed = number("STEPLINE_SEED")
    /// The number of rounds that is set, if one is.
    package static let givenRounds = number("STEPLINE_ROUNDS").map { Int($0) }
    /// The number of plays that is set, if one is.
    package static let givenPlays = number("STEPLINE_PLAYS")
    /// The number of seeds of disturbed runs that is set, if one is.
    package static let givenChaosSeeds = number("STEPLINE_CHAOS_SEEDS")
    /// Whether this is a soak run, on a machine that does nothing else.
    package static let isSoak = ProcessInfo.processInfo.environment["STEPLINE_SOAK"] != nil

    /// Returns the number of rounds that is set, if it is larger than the usual one.
    package static func rounds(_ usual: Int) -> Int { max(usual, givenRounds ?? 0) }

    /// Whether the process runs one suite that counts bytes in use.
    package static let isAlone = ProcessInfo.processInfo.environment["STEPLINE_ALONE"] != nil

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a test with `STEPLINE_ALONE` only: it counts the bytes in use of the whole process.
    package static var aloneOnly: Self {
        .enabled(if: Chance.isAlone, "runs alone in make soak (STEPLINE_ALONE=1 make test FILTER=…)")
    }

    /// Runs a test in `make soak` only: it measures time, resident memory or threads, or needs more rounds than CI has
    /// time for.
    package static var soakOnly: Self {
        .enabled(if: Chance.isSoak, "runs in make soak (STEPLINE_SOAK=1)")
    }

    /// Runs a test where `ps` and `pkill` are; a small Debian has neither.
    package static var withPS: Self {
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/ps"), "needs ps (procps)")
    }
}
