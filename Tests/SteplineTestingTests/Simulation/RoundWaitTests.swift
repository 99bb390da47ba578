import Testing

@testable import SteplineTesting

@Suite("Rounding of sleeps", .timeLimit(.minutes(5)))
struct RoundWaitTests {
    /// The remaining nanoseconds, the microseconds of work, and the microseconds since the start.
    @Test(
        "the roundest wait that so much work may hide, or so much time where that says more",
        arguments: [
            (1_233_980_000, worked: 60, passed: 70, meant: 1_234_000_000),
            // The thread was held up before the sleeper read the clock.
            (1_233_980_000, worked: 60, passed: 8_000, meant: 1_234_000_000),
            // And behind it.
            (243_810_000, worked: 50, passed: 6_400, meant: 250_000_000),
            (69_000, worked: 3, passed: 3, meant: 70_000),
            (3_599_999_900_000, worked: 20, passed: 30_000, meant: 3_600_000_000_000),
            // By a clock that counts no short work.
            (249_930_000, worked: 0, passed: 200, meant: 250_000_000),
            (1, worked: 0, passed: 0, meant: 1), (-5, worked: 1, passed: 1, meant: 500),
        ])
    func meant(left: Int, worked: Int, passed: Int, meant: Int) {
        let wait = RoundWait.meant(
            by: .nanoseconds(left), worked: .microseconds(worked), passed: .microseconds(passed))
        #expect(wait == .nanoseconds(meant))
    }
}
