import SteplineSupport
import SteplineTesting
import Testing

@testable import SteplineCommand

@Suite("Workflow files: time-outs that leave out waits in line", .timeLimit(.minutes(5)))
struct FlowTimeLimitTests {
    /// A limit of ten seconds by a clock that is moved here, and how often it has stopped something.
    private struct Limited {
        let clock = ManualClock()
        let limit: FlowTimeLimit
        let stops = Locked(0)

        init() { limit = FlowTimeLimit(.seconds(10), clock) { [stops] in stops.withLock { $0 += 1 } } }

        /// Whether it is over, and was not until then, once so many more seconds have passed.
        func isOver(after seconds: Int) -> Bool {
            clock.advance(by: .seconds(seconds) - .milliseconds(1))
            guard stops.withLock({ $0 }) == 0 else { return false }
            clock.advance(by: .milliseconds(1))
            return stops.withLock { $0 } == 1
        }
    }

    @Test("a wait whose end is reported before its begin is ignored")
    func overtaken() {
        let limited = Limited()
        limited.clock.advance(by: .seconds(4))
        limited.limit.wait(false)
        limited.limit.wait(true)
        #expect(limited.isOver(after: 6))
    }

    @Test("the limit excludes waits behind another load, and time after the load has ended")
    func overtakenByAnother() {
        let limited = Limited()
        limited.clock.advance(by: .seconds(4))
        limited.limit.wait(true)
        limited.clock.advance(by: .seconds(100))
        limited.limit.wait(false)
        limited.limit.wait(false)
        limited.limit.wait(true)
        limited.clock.advance(by: .seconds(1))
        limited.limit.wait(true)
        limited.clock.advance(by: .seconds(100))
        limited.limit.wait(false)
        #expect(limited.isOver(after: 5))
    }
}
