import Foundation
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Hostile times and bursts", .timeLimit(.minutes(5)))
struct HostileTimeTests {
    private struct Wish: RetryAdvising {
        let isTransient = true
        let retryAfter: RetryAfter?
    }

    @Test(
        "PL-54: a date beyond all dates is a wish beyond the cap, and no date at all is none",
        arguments: [.infinity, .greatestFiniteMagnitude, 1e300, .nan, -.infinity] as [Double])
    func dates(seconds: Double) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let policy = RetryPolicy.constant(attempts: 3, delay: .seconds(1))
        let wait = policy.delay(
            afterAttempt: 1, failedWith: Wish(retryAfter: .date(date)),
            now: Date(timeIntervalSinceReferenceDate: 0))
        #expect(wait == (seconds > 0 ? nil : .seconds(1)))
    }

    @Test("PL-54: excessive bases, factors and caps give a wait up to the cap, or none")
    func policies() {
        let times: [Duration] = [
            .seconds(Int64.max), .seconds(1e20), .zero, .seconds(-1), .seconds(-1e20), .seconds(1),
        ]
        for base in times {
            for cap in times {
                for factor in [.nan, .infinity, -.infinity, -2, 0, 1, 1e308] as [Double] {
                    for jitter in [RetryJitter.none, .equal, .full] {
                        let policy = RetryPolicy.exponential(
                            attempts: .max, base: base, factor: factor, cap: cap, jitter: jitter,
                            when: { _ in true })
                        for attempt in [.min, 0, 1, 2, 100, .max - 1] {
                            let wait = policy.delay(
                                afterAttempt: attempt, failedWith: CocoaError(.fileNoSuchFile),
                                now: .distantPast)
                            #expect(wait.map { $0 >= .zero && $0 <= max(cap, .zero) } == true)
                        }
                    }
                }
            }
        }
    }

    @Test("PL-56: a call in the infinite future is kept, and can be withdrawn", arguments: [1, 2, 3])
    func forever(number: Int) {
        for delay in [.seconds(Int64.max), .seconds(1e20), .seconds(12_000_000_000)] as [Duration] {
            SystemClock.shared.schedule(after: delay) { Issue.record("called") }.cancel()
            let clock = ManualClock()
            clock.advance(by: .seconds(1))
            clock.schedule(after: delay) { Issue.record("called") }
            clock.advance(by: .seconds(3600))
            #expect(clock.scheduledCount == 1)
            clock.schedule(after: .zero) {}
            clock.advance(by: .zero)
            #expect(clock.scheduledCount == 1)
        }
    }
}
