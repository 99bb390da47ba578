import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

/// What a user made may ask the workflow whenever it is asked itself: a lock would hang the test.
@Suite("A user's code runs under no lock", .timeLimit(.minutes(5)))
struct AskedBackTests {
    private final class NosyClock: StepClock {
        let base = ManualClock(runsByItself: true)
        let workflow = Locked<Workflow?>(nil)
        let log = StepLog()
        let asked = Recorder<Void>()

        private func ask() {
            guard let workflow = workflow.withLock({ $0 }) else { return }
            _ = (workflow.status, workflow.progress, workflow.taskCount, workflow.allTasks.first?.state)
            log.info("\(workflow)")
            asked.record(())
        }

        var now: Date {
            ask()
            return base.now
        }
        var uptime: Duration {
            ask()
            return base.uptime
        }
        func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
            ask()
            return delay < .seconds(30) ? base.schedule(after: delay, body) : Subscription {}
        }
    }

    /// Asks the workflow for its text, and once more when it is freed.
    private final class NosyError: Error, CustomStringConvertible {
        let ask: @Sendable () -> Void
        init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }
        var description: String {
            ask()
            return "nosy"
        }
        deinit { ask() }
    }

    @Test("WF-25: a clock, an error's text and a value's end that ask the workflow back never find it locked")
    func nosy() async throws {
        let clock = NosyClock()
        let workflow = Workflow(
            "asked",
            options: .init(deadline: .seconds(900), watchdog: .seconds(60), keptAttempts: 2, clock: clock))
        clock.workflow.withLock { $0 = workflow }
        defer { clock.workflow.withLock { $0 = nil } }
        let ask: @Sendable () -> Void = { [weak workflow] in _ = (workflow?.status, workflow?.progress) }
        let attempts = Recorder<Void>()
        let options = TaskOptions(
            retry: .constant(attempts: 3, delay: .seconds(1)) { _ in true }, timeout: .seconds(60),
            deadline: .seconds(600))
        let first = try workflow.add("first", options: options) { () throws -> NosyError in
            attempts.record(())
            if attempts.count < 3 { throw NosyError(ask) }
            return NosyError(ask)
        }
        try workflow.add("second", after: first, options: options) { (_: NosyError) async in NosyError(ask) }
        let log = EventLog(workflow)
        try await workflow.run()
        _ = await log.until { if case .settled = $0.kind { true } else { false } }
        _ = (workflow.explain(), workflow.explain(first.task).description, workflow.check())
        workflow.reset()
        workflow.cancel()
        workflow.retry()
        try await workflow.run()
        #expect(attempts.count == 4 && clock.asked.count > 10)
    }
}
