import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: a file that is run is cancelled before it begins", .timeLimit(.minutes(5)))
struct CancelledInclusionTests {
    private func plan(_ text: String, _ clock: any StepClock) throws -> FlowPlan {
        let source = FlowSource(name: "/tmp/f", text: text)
        var issues = FlowIssues()
        let file = try #require(FlowReader.read(source, &issues))
        let folder = FlowFolder(ofFile: "/tmp/f", in: "/tmp")
        let order = FlowChecker.check(file, folder: folder, &issues)
        var setting = FlowSetting(source: source, folder: folder)
        setting.clock = clock
        return FlowPlan(file, order: order, setting: setting)
    }

    @Test(
        "the task of an included file that is cancelled before its begin ends at once",
        arguments: ["", "timeout: '5s'"])
    func beforeItBegins(policy: String) async throws {
        // The clock is never advanced: neither a time-out nor a grace passes.
        let clock = ManualClock()
        var plan = try plan("{ tasks: { a: { flow: 'in.json5', \(policy) } } }", clock)
        plan.inclusions = ["a": "in"]
        plan.library = ["in": try self.plan("{ tasks: { t: { steps: [ { value: 1 } ] } } }", clock)]
        let outer = Locked<Workflow?>(nil)
        plan.followElements = { inner, _ in
            let events = inner.events
            outer.withLock { $0 }?.cancel("asked for")
            while !Task.isCancelled { sched_yield() }
            return Task {
                for await event in events where event.task == nil {
                    if case .settled = event.kind { break }
                }
            }
        }
        let workflow = try plan.workflow()
        outer.withLock { $0 = workflow }
        let run = Task { try await workflow.run() }
        let hasEnded = OneShot<Bool>()
        Task {
            _ = await run.result
            hasEnded.fulfill(true)
        }
        // Else one that doesn't end would keep the whole run of the tests.
        let limit = SystemClock.shared.schedule(after: .seconds(30)) { hasEnded.fulfill(false) }
        defer { limit.cancel() }
        try #require(await hasEnded.value)
        await #expect(throws: CancellationError.self) { try await run.value }
    }
}
