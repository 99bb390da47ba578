package import SteplineSupport

extension StableRandom {
    /// Returns the next number from 0 to `bound - 1`.
    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
