import SteplineSupport
import SteplineTesting
import Testing

@testable import SteplineEngine

/// The time of an engine's transactions, read often.
@Suite("Engine clocks", .timeLimit(.minutes(5)))
struct EngineClockTests {
    @Test func `a reused reading is never much older than the clock, and never goes back`() {
        let clock = EngineClock(.system)
        var reading = EngineClock.Reading()
        var last = Instant.zero
        for _ in 0..<200_000 {
            let before = clock.now()
            let time = clock.now(reusing: &reading)
            guard time >= last, time <= clock.now(), before - time < .microseconds(100) else {
                Issue.record("\(time) after \(last), and \(before) by the clock")
                return
            }
            last = time
        }
    }

    @Test func `a clock of the user's is read each time`() {
        let manual = ManualClock()
        let clock = EngineClock(manual)
        var reading = EngineClock.Reading()
        for _ in 0..<3 {
            manual.advance(by: .nanoseconds(1))
            #expect(clock.now(reusing: &reading) == clock.now())
        }
    }
}
