/// A pseudo-random generator with the same numbers for the same seed on every machine.
package struct StableRandom: Sendable, RandomNumberGenerator {
    private static let stride: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64

    /// Creates a generator that skips the first `count` numbers of the seed.
    package init(seed: UInt64, after count: Int = 0) {
        state = seed &+ UInt64(truncatingIfNeeded: count) &* Self.stride
    }

    /// Makes all later numbers depend on the given bytes.
    package mutating func mix(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// Makes all later numbers depend on the given number.
    package mutating func mix(_ number: UInt64) { state = (state ^ number) &* 0x100_0000_01B3 }

    /// Returns the next number.
    package mutating func next() -> UInt64 {
        state &+= Self.stride
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns true in `times` of `all` cases on average.
    package mutating func chance(_ times: Int, in all: Int) -> Bool {
        Int.random(in: 0..<all, using: &self) < times
    }
}
