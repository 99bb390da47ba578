/// Numbers that look like chance and are the same for the same seed, on every machine.
package struct StableRandom: Sendable, RandomNumberGenerator {
    private static let stride: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64

    /// Begins behind the first `count` numbers of the seed.
    package init(seed: UInt64, after count: Int = 0) {
        state = seed &+ UInt64(truncatingIfNeeded: count) &* Self.stride
    }

    /// Lets all numbers that come depend on these as well.
    package mutating func mix(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// The same for one number.
    package mutating func mix(_ number: UInt64) { state = (state ^ number) &* 0x100_0000_01B3 }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= Self.stride
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// The next one from 0 up to 1, which it never is.
    package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns true `times` out of `all` times, on average.
    package mutating func chance(_ times: Int, in all: Int) -> Bool {
        Int.random(in: 0..<all, using: &self) < times
    }
}
