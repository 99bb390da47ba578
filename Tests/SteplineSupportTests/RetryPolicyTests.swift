import Foundation
import SteplineSupport
import Testing

@Suite("Retry policies", .timeLimit(.minutes(5)))
struct RetryPolicyTests {
    private struct Advice: RetryAdvising {
        var isTransient = true
        var retryAfter: RetryAfter?
    }

    private struct Wrapped: ErrorWithCause {
        var underlying: (any Error)?
    }

    private let now = Date(timeIntervalSinceReferenceDate: 0)

    private func delays(_ policy: RetryPolicy, _ error: any Error = Advice()) -> [Duration?] {
        (1...6).map { policy.delay(afterAttempt: $0, failedWith: error, now: now) }
    }

    @Test("PL-54: a wait is base × factor^n up to the cap; after the last attempt there is none")
    func exponential() {
        let policy = RetryPolicy.exponential(attempts: 6, base: .seconds(1), cap: .seconds(10), jitter: .none)
        #expect(delays(policy) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10), nil])
        #expect(
            delays(.constant(attempts: 3, delay: .seconds(2))).prefix(3) == [.seconds(2), .seconds(2), nil])
        #expect(delays(.none).allSatisfy { $0 == nil })
    }

    @Test("PL-54: no factor, base or number of attempts is too large")
    func extremes() {
        let policy = RetryPolicy.exponential(
            attempts: .max, base: .seconds(1), factor: .greatestFiniteMagnitude, cap: .seconds(9),
            jitter: .none)
        #expect(policy.delay(afterAttempt: 1_000_000, failedWith: Advice(), now: now) == .seconds(9))
        #expect(policy.delay(afterAttempt: -5, failedWith: Advice(), now: now) == .seconds(1))
    }

    @Test("PL-54: jitter stays in its bounds, and a seed repeats it", arguments: [1, 7, 42] as [UInt64])
    func jitter(seed: UInt64) {
        func policy(_ jitter: RetryJitter) -> RetryPolicy {
            .exponential(attempts: 7, base: .seconds(1), cap: .seconds(16), jitter: jitter)
        }
        let full = delays(policy(.full.seeded(seed)))
        #expect(full == delays(policy(.full.seeded(seed))))
        #expect(full != delays(policy(.full.seeded(seed + 1))))
        let equal = delays(policy(.equal.seeded(seed)))
        for (index, most) in [1, 2, 4, 8, 16, 16].enumerated() {
            #expect(full[index].map { $0 >= .zero && $0 <= .seconds(most) } == true)
            #expect(equal[index].map { $0 >= .seconds(most) / 2 && $0 <= .seconds(most) } == true)
        }
    }

    @Test("PL-54: never shorter than a Retry-After, in seconds or as a date; one beyond the cap ends it")
    func retryAfter() {
        let policy = RetryPolicy.exponential(base: .seconds(1), cap: .seconds(10), jitter: .none)
        func first(_ wish: RetryAfter) -> Duration? { delays(policy, Advice(retryAfter: wish))[0] }
        let wishes: [RetryAfter] = [
            .delay(.seconds(5)), .delay(.milliseconds(5)), .delay(.seconds(10)), .delay(.seconds(11)),
            .date(now.addingTimeInterval(7)), .date(now.addingTimeInterval(-7)),
            .date(now.addingTimeInterval(70)),
        ]
        let waits: [Duration?] = [
            .seconds(5), .seconds(1), .seconds(10), nil, .seconds(7), .seconds(1), nil,
        ]
        #expect(wishes.map(first) == waits)
    }

    @Test("PL-53: transient errors are those that may pass by themselves")
    func classification() {
        let codes: [URLError.Code] = [.timedOut, .networkConnectionLost, .cannotConnectToHost]
        var transient: [any Error] = [POSIXError(.ECONNREFUSED), POSIXError(.ETIMEDOUT), Advice()]
        for error in codes.map({ URLError($0) }) {
            transient += [error, Wrapped(underlying: Wrapped(underlying: error))] as [any Error]
        }
        for error in transient { #expect(RetryPolicy.isTransient(error)) }
        let permanent: [any Error] = [
            Advice(isTransient: false), CancellationError(), URLError(.cancelled), POSIXError(.ENOENT),
            Wrapped(),
        ]
        for error in permanent { #expect(!RetryPolicy.isTransient(error)) }
    }
}
