package import SteplineSupport

extension StableRandom {
    /// Returns the next number from 0 up to `bound`, which it never is.
    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
