import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FailureTests {
    @Test("WF-53: dependents of a failure stay Pending and are told once; a retry unblocks them")
    func blocked() async throws {
        let workflow = Workflow()
        let log = EventLog(workflow)
        let bad = try workflow.add(HandTask(name: "bad"))
        let below = try workflow.add(named("below"), prerequisites: [bad])
        let last = try workflow.add(named("last"), prerequisites: [below, bad])
        try workflow.start()
        await bad.attempt().fail(with: Broken())
        #expect(below.isPending && last.isPending)
        #expect(workflow.explain(last).description.contains("bad (Failed)"))
        bad.retry()
        await bad.attempt(2).finish()
        await workflow.settle()
        #expect(last.isFinished)
        let events = await log.until { $0.name == "last" && $0.kind == .finished }
        let notified = events.filter { $0.kind == .blocked(by: ["bad"]) }.map(\.name)
        #expect(notified.sorted() == ["below", "last"])
        #expect(events.filter { $0.kind == .unblocked }.count == 2)
    }

    @Test("WF-54: after a failure other tasks continue by default, or are cancelled")
    func onFailure() async throws {
        let workflow = Workflow(options: .init(onFailure: .cancelOthers))
        let slow = try workflow.add(HandTask())
        let bad = try workflow.add(HandTask())
        try workflow.start()
        let attempt = await slow.attempt()
        await bad.attempt().fail(with: Broken())
        #expect(slow.isCancelled && bad.isFailed)
        #expect(attempt.isCancelled)
    }

    @Test("WF-55: a dependent that allows the failure runs after it, and reads nil or a Result")
    func allowed() async throws {
        let workflow = Workflow()
        let bad = try workflow.add("bad") { () throws -> Int in throw Broken(number: 1) }
        let below = try workflow.add("below", after: bad) { $0 }
        let reader = try workflow.add("reader", after: bad.allowingFailure, below.allowingFailure) {
            one, two in
            (try? one.get()) == nil && (try? two.get()) == nil
        }
        let object = try workflow.add(
            BlockTask { $0.finish(with: $0.anyPrerequisiteResult == nil) }, prerequisites: [bad.task],
            allowingFailureOf: [bad.task])
        await workflow.settle()
        #expect(reader.result == true)
        #expect(object.result as? Bool == true)
    }

    @Test("WF-55: allowingFailure doesn't allow a cancellation")
    func cancellationNotAllowed() throws {
        let workflow = Workflow()
        let first = try workflow.add(HandTask())
        let reader = try workflow.add(HandTask(), prerequisites: [first], allowingFailureOf: [first])
        first.cancel()
        #expect(reader.isCancelled)
    }

    @Test(
        "WF-56: when the failed task runs again, dependents that allowed its failure are reset and run after it"
    )
    func allowedAgain() async throws {
        let workflow = Workflow()
        let bad = try workflow.add(HandTask())
        let reader = try workflow.add(HandTask(), prerequisites: [bad], allowingFailureOf: [bad])
        try workflow.start()
        await bad.attempt().fail(with: Broken())
        await reader.attempt().finish(with: "without")
        bad.retry()
        #expect(reader.isPending && reader.result == nil)
        await bad.attempt(2).finish()
        await reader.attempt(2).finish(with: "with")
        #expect(reader.result as? String == "with")
    }

    @Test(
        "WF-55: a task that allows a failure runs after it, also if a cancellation had blocked other ways to it"
    )
    func closedTwice() async throws {
        let workflow = Workflow()
        let (bad, gone) = (try workflow.add(HandTask()), try workflow.add(HandTask()))
        let both = try workflow.add(HandTask(), prerequisites: [bad, gone])
        let either = try workflow.add(HandTask(), prerequisites: [bad, both], allowingFailureOf: [both])
        let after = try workflow.add(
            HandTask(), prerequisites: [either, both], allowingFailureOf: [either])
        let reader = try workflow.add(HandTask(), prerequisites: [after], allowingFailureOf: [after])
        try bad.start()
        gone.cancel()
        both.reset()
        #expect(reader.isPending)
        await bad.attempt().fail(with: Broken())
        try #require(!reader.isPending)
        await reader.attempt().finish()
        #expect(reader.isFinished && after.isPending)
    }

    @Test("WF-105: a failure that was forgotten doesn't count for a run")
    func forgotten() async throws {
        let workflow = Workflow()
        let bad = try workflow.add(HandTask())
        try workflow.start()
        await bad.attempt().fail(with: Broken())
        await workflow.settle()
        #expect(workflow.forget([bad]).isEmpty)
        let price = try workflow.add("price") { () throws -> Int in throw Broken() }
        let safe = try workflow.add("safe", after: price.allowingFailure) { price in
            if case .success(let price) = price { price } else { -1 }
        }
        try await workflow.run()
        #expect(safe.result == -1)
    }
}
