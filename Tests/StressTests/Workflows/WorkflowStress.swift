import SteplineTesting
import TestSupport

/// How long the stress tests of workflows go on, and by which numbers.
///
/// `STEPLINE_ROUNDS` and `STEPLINE_SEED` replay a failure; the seed of each round is printed
/// with it.
enum WorkflowStress {
    static let rounds = Chance.givenRounds ?? 20

    static var seeds: [UInt64] {
        if let seed = Chance.givenSeed { return [seed] }
        var random = SystemRandomNumberGenerator()
        let first = UInt64.random(in: 1...1_000_000_000, using: &random)
        return (0..<UInt64(rounds)).map { first + $0 }
    }
}

/// SplitMix64: small, and the same everywhere.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
