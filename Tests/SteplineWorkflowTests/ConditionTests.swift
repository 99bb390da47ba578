import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConditionTests {
    @Test("WF-61: fulfil works once, and the first result stays; without a workflow it is remembered")
    func once() async throws {
        let condition = ExternalConditionTask(name: "chosen")
        #expect(!condition.isFulfilled)
        #expect(condition.fulfill(with: 1) == true)
        #expect(condition.fulfill(with: 2) == false)
        #expect(condition.isFulfilled)
        let workflow = Workflow()
        try workflow.add(condition)
        #expect(condition.isFulfilled && condition.isReady)
        try await workflow.run()
        #expect(condition.result as? Int == 1)
    }

    @Test("check warns of a condition that no task waits for, also in a subworkflow; a cleanup doesn't wait")
    func unused() throws {
        let inner = Workflow("inner")
        try inner.add(ExternalConditionTask(name: "inside"))
        let workflow = Workflow()
        let used = try workflow.add(ExternalConditionTask(name: "used"))
        try workflow.add(named("below"), prerequisites: [used])
        try workflow.add(ExternalConditionTask(name: "unused"))
        try workflow.add(SubworkflowTask(name: "outer", subworkflow: inner))
        try workflow.addCleanup("last", after: workflow.allTasks) {}
        let issues = workflow.check().filter { $0.code == .unusedCondition }
        #expect(issues.map(\.place).sorted() == ["outer: inside inner: inside", "unused"], "\(issues)")
        #expect(issues.allSatisfy { $0.severity == .warning })
        #expect("\(issues)".contains("is a condition that no task waits for"), "\(issues[0])")
    }

    @Test(
        "WF-61: Pending it is remembered, Ready it starts, Failed or Cancelled it is retried with dependents")
    func byState() async throws {
        let workflow = Workflow()
        let above = try workflow.add(HandTask())
        let pending = try workflow.add(ExternalConditionTask(), prerequisites: [above])
        let ready = try workflow.add(ExternalConditionTask())
        let cancelled = try workflow.add(ExternalConditionTask())
        let below = try workflow.add(named("below"), prerequisites: [cancelled])
        pending.fulfill(with: "p")
        #expect(pending.isPending)
        ready.fulfill(with: "r")
        await TaskRef<String>.settled(ready)
        #expect(ready.result as? String == "r")
        cancelled.cancel()
        #expect(below.isCancelled)
        cancelled.fulfill(with: "c")
        await TaskRef<String>.settled(below)
        #expect(cancelled.result as? String == "c" && below.isFinished)
        try above.start()
        await above.attempt().finish()
        await TaskRef<String>.settled(pending)
        #expect(pending.result as? String == "p")
    }

    @Test("WF-62: run unfulfilled it waits, and explain says so; it holds no place under a limit")
    func waits() async throws {
        let workflow = Workflow(options: .init(maximumConcurrency: 1))
        let log = EventLog(workflow)
        let condition = try workflow.add(ExternalConditionTask(name: "choice"))
        let other = try workflow.add("other") { 1 }
        try workflow.start()
        #expect(try await other.value == 1)
        _ = await log.until { $0.name == "choice" && $0.kind == .started }
        #expect(condition.isExecuting)
        condition.fulfill(with: 2)
        #expect(condition.result as? Int == 2)
    }

    @Test("WF-63: with .fail it fails at once, with domain and code; fulfilling it later recovers what waits")
    func fails() async throws {
        let workflow = Workflow()
        let condition = try workflow.add(ExternalConditionTask(whenUnfulfilled: .fail))
        let below = try workflow.add(named("below"), prerequisites: [condition])
        await workflow.settle()
        let error = try #require(condition.error as? WorkflowError)
        #expect(error.code == .conditionNotFulfilled && error.errorCode == 1)
        #expect(WorkflowError.errorDomain == "SteplineWorkflow.WorkflowError")
        #expect(below.isPending)
        condition.retry()
        await TaskRef<Int>.settled(condition)
        #expect(condition.isFailed)
        condition.fulfill(with: 3)
        await TaskRef<String>.settled(below)
        #expect(condition.result as? Int == 3 && below.isFinished)
    }

    @Test("WF-64: reset clears the fulfilment, propagated and Pending too; cancel and retry keep it")
    func reset() async throws {
        let workflow = Workflow()
        let above = try workflow.add(HandTask())
        let condition = try workflow.add(ExternalConditionTask(), prerequisites: [above])
        condition.fulfill(with: 1)
        above.reset()
        #expect(!condition.isFulfilled)
        condition.fulfill(with: 2)
        condition.cancel()
        #expect(condition.isFulfilled)
        condition.retry()
        try above.start()
        await above.attempt().finish()
        await TaskRef<Int>.settled(condition)
        #expect(condition.result as? Int == 2)
        condition.reset()
        #expect(!condition.isFulfilled && condition.result == nil)
    }

    @Test("WF-61: of several threads that fulfil it, one does")
    func raced() async throws {
        let workflow = Workflow()
        let ref = try workflow.addCondition("ok", of: Int.self)
        try workflow.start()
        let wins = Recorder<Int>()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask { if ref.fulfill(with: index) { wins.record(index) } }
            }
        }
        #expect(wins.count == 1)
        #expect(try await ref.value == wins.values[0])
    }

    @Test("WF-61: behind others a condition waits for them, allowed failures among them, and to be fulfilled")
    func after() async throws {
        let workflow = Workflow()
        let one = try workflow.add("one") { 1 }
        let broken = try workflow.add("broken") { () throws -> Int in throw Broken() }
        let early = try workflow.addCondition("early", of: Int.self, after: one)
        let late = try workflow.addCondition("late", of: String.self, after: one, broken.allowingFailure)
        let never = try workflow.addCondition("never", of: Int.self, after: broken)
        let sum = try workflow.add("sum", after: early, late) { early, late in "\(early)\(late)" }
        #expect(workflow.prerequisites(of: late.task)?.map(\.name) == ["one", "broken"])
        early.fulfill(with: 3)
        #expect(early.task.isPending)
        try workflow.start()
        #expect(try await early.value == 3)
        late.fulfill(with: "x")
        #expect(try await sum.value == "3x")
        never.fulfill(with: 1)
        #expect(never.task.isPending)
        let other = try Workflow().add("other") { 1 }
        #expect(
            workflowError { try workflow.addCondition("x", of: Int.self, after: other) }?.code
                == .foreignPrerequisite)
    }

    @Test("WF-109: an order driven by messages to single tasks alone comes to Finished")
    func order() async throws {
        let workflow = Workflow("order")
        let project = try workflow.add(HandTask(name: "project"))
        let photos = try (0..<2).map { try workflow.add(ExternalConditionTask(name: "photo \($0)")) }
        let uploads = try photos.map {
            try workflow.add(HandTask(name: "upload"), prerequisites: [$0, project])
        }
        let metadata = try workflow.add(ExternalConditionTask(name: "metadata"))
        let submit = try workflow.add(HandTask(name: "submit"), prerequisites: uploads + [metadata])
        photos[0].fulfill(with: "a")
        try project.start()
        await project.attempt().fail(with: Broken())
        #expect(uploads[0].isPending && submit.isPending)
        project.retry()
        await project.attempt(2).finish(with: "id")
        await uploads[0].attempt().finish()
        photos[1].fulfill(with: "b")
        _ = await uploads[1].attempt()
        photos[1].reset()
        #expect(uploads[1].isPending && uploads[0].isFinished)
        uploads[1].attempts.values[0].finish()
        photos[1].fulfill(with: "c")
        await uploads[1].attempt(2).finish()
        #expect(submit.isPending)
        metadata.cancel()
        #expect(submit.isCancelled)
        metadata.fulfill(with: [:] as [String: String])
        await submit.attempt().finish(with: "done")
        #expect(workflow.allTasks.allSatisfy { $0.isFinished } && !workflow.hasUnfinishedTasks)
    }

    // MARK: Delays

    @Test("a delay finishes when its time has passed, and begins again after a reset")
    func delay() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(clock: clock))
        let order = try workflow.add("order") { 1 }
        let pause = try workflow.addDelay("pause", .seconds(60), after: order)
        let remind = try workflow.add("remind", after: order, pause) { order, _ in order + 1 }
        try workflow.addDelay("none", .zero)
        #expect(workflow.check().isEmpty)
        for _ in 0..<2 {
            let run = Task { try await workflow.run() }
            await clock.waitForScheduled(after: .seconds(60))
            #expect(
                "\(workflow.explain(pause.task))".contains("waits until its delay of 60.0 seconds is over"))
            clock.advance(by: .seconds(59))
            #expect(pause.task.isExecuting)
            clock.advance(by: .seconds(1))
            _ = try await run.value
            #expect(try remind.readValue() == 2)
            #expect(workflow.allTasks.allSatisfy { $0.isFinished })
            pause.task.reset()
        }
    }

    @Test("a delay can be fulfilled before its time, and can be cancelled; a negative one is refused")
    func endedDelay() async throws {
        let clock = ManualClock()
        let workflow = Workflow(options: .init(clock: clock))
        let first = try workflow.addDelay("first", .seconds(60))
        let second = try workflow.addDelay("second", .seconds(60))
        let run = Task { try await workflow.run() }
        await clock.waitForScheduled(after: .seconds(60))
        #expect(first.fulfill(with: ()))
        await TaskRef<Void>.settled(first.task)
        #expect(first.task.isFinished)
        second.task.cancel()
        _ = await run.result
        #expect(second.task.isCancelled)
        clock.advance(by: .seconds(60))
        #expect(second.task.isCancelled)
        let error = #expect(throws: WorkflowError.self) { try workflow.addDelay("third", .seconds(-1)) }
        #expect(error?.code == .invalidOption && error?.subject == "third")
    }
}
