import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SubworkflowTests {
    @Test("WF-65: messages inside do nothing to the task; a failure inside fails it with the same error")
    func fails() async throws {
        let inner = Workflow("inner")
        let bad = try inner.add(HandTask())
        let outer = Workflow()
        let task = try outer.add(SubworkflowTask(subworkflow: inner))
        inner.reset()
        bad.reset()
        #expect(task.isReady)
        try outer.start()
        await bad.attempt().fail(with: Broken(number: 4))
        await TaskRef<Workflow>.settled(task)
        #expect(task.error as? Broken == Broken(number: 4))
    }

    @Test("WF-65: a task cancelled inside cancels the task and its dependents, Pending or Ready too")
    func cancelledInside() async throws {
        let inner = Workflow("inner")
        let held = try inner.add(HandTask())
        let outer = Workflow()
        let task = try outer.add(SubworkflowTask(subworkflow: inner))
        let below = try outer.add(named("below"), prerequisites: [task])
        held.cancel()
        #expect(task.isCancelled && below.isCancelled)
    }

    @Test("WF-66: the end of a sub-workflow task by the states inside")
    func byInside() async throws {
        let done = Workflow("done")
        let first = try done.add(named("first"))
        try await done.run()
        let failed = Workflow("failed")
        try failed.add(BlockTask { $0.fail(with: Broken(number: 1)) })
        try failed.add(named("fine"))
        await failed.settle()
        let outer = Workflow()
        let a = try outer.add(SubworkflowTask(subworkflow: done))
        let b = try outer.add(SubworkflowTask(subworkflow: failed))
        let c = try outer.add(SubworkflowTask(subworkflow: Workflow("empty")))
        await outer.settle()
        #expect(a.isFinished && first.snapshot.attempt == 1)
        #expect(b.error as? Broken == Broken(number: 1))
        #expect(c.isFinished)
    }

    @Test("WF-67: cancel cancels the workflow inside and the task, once")
    func cancel() async throws {
        let inner = Workflow("inner")
        let held = try inner.add(HandTask())
        let outer = Workflow()
        let task = try outer.add(SubworkflowTask(subworkflow: inner))
        let log = EventLog(outer)
        try outer.start()
        let attempt = await held.attempt()
        task.cancel()
        attempt.finish()
        #expect(held.isCancelled && task.isCancelled)
        await outer.settle()
        let events = await log.until { if case .settled = $0.kind { true } else { false } }
        #expect(events.filter { if case .cancelled = $0.kind { true } else { false } }.count == 1)
    }

    // The clock stands still: who waits for a grace waits for ever.
    @Test(
        "WF-67: a sub-workflow task ends with its inside, however stopped", arguments: Stop.allCases,
        [true, false])
    fileprivate func overWithInside(stop: Stop, isIdle: Bool) async throws {
        let still = WorkflowOptions(clock: ManualClock())
        let inner = Workflow("inner", options: still)
        let began = Gate()
        let other = try inner.add("other") {}
        try inner.add("body") { () async throws in
            if began.isOpen { return }
            try await other.value
            // No message asks for another run.
            if isIdle { other.task.reset() }
            began.open()
            if !isIdle {
                await untilCancelled()
                try Task.checkCancellation()
            }
        }
        let outer = Workflow("outer", options: still)
        let task = try outer.add(SubworkflowTask(subworkflow: inner))
        let log = EventLog(inner)
        try outer.start()
        await began.wait()
        if isIdle { _ = await log.until { if case .settled = $0.kind { true } else { false } } }
        try await stop.stopAndBeginAgain(outer, task)
        #expect(await outer.outcome().isSuccess)
        #expect(task.isFinished)
    }

    // Word of an end inside is on its way while everything is taken back and begins again.
    @Test("WF-67: an end inside that is heard late decides on no later attempt", arguments: Stop.allCases)
    fileprivate func receivedLate(stop: Stop) async throws {
        for round in 1...100 {
            let inner = Workflow("inner"), outer = Workflow("outer")
            let other = try inner.add("other") {}
            try inner.add("body") {
                // No message asks for another run.
                if stop != .reset { other.task.reset() }
            }
            let task = try outer.add(SubworkflowTask(subworkflow: inner))
            let log = EventLog(inner)
            try outer.start()
            _ = await log.until { if case .settled = $0.kind { true } else { false } }
            try await stop.stopAndBeginAgain(outer, task)
            #expect(await outer.outcome().isSuccess, "round \(round)")
            #expect(task.isFinished && inner.allTasks.allSatisfy(\.isFinished), "round \(round)")
        }
    }

    fileprivate enum Stop: CaseIterable {
        case outside, task, inside, reset

        /// Stops a task around a workflow in this way, and has it begin again.
        func stopAndBeginAgain(_ outer: Workflow, _ task: SubworkflowTask) async throws {
            switch self {
            case .outside: outer.cancel()
            case .task: task.cancel()
            case .inside: task.subworkflow.cancel()
            case .reset: outer.reset()
            }
            if self == .reset { return try outer.start() }
            #expect(await outer.outcome().value == nil)
            outer.retry()
        }
    }

    @Test("WF-68, WF-69: reset resets inside; retry takes failures back, which start when the task runs")
    func resetAndRetry() async throws {
        let inner = Workflow("inner")
        let one = try inner.add(HandTask())
        let two = try inner.add(named("two"))
        let outer = Workflow()
        let task = try outer.add(SubworkflowTask(subworkflow: inner))
        try outer.start()
        await TaskRef<String>.settled(two)
        await one.attempt().fail(with: Broken())
        await TaskRef<Workflow>.settled(task)
        #expect(task.isFailed)
        task.retry()
        await one.attempt(2).finish()
        await TaskRef<Workflow>.settled(task)
        #expect(task.isFinished && two.snapshot.attempt == 1)
        let changes = Recorder<WorkflowTask.State>()
        let token = one.observe { changes.record($0.newState) }
        task.reset()
        // Another thread may just be telling of the task's end, and then tells of this as well, before it is Ready.
        await changes.waitForCount(2)
        await task.untilReady()
        #expect(changes.values == [.pending, .ready] && two.isReady && task.isReady)
        token.cancel()
    }

    @Test(
        "WF-68: a reset reaches tasks that were started inside before the task around them",
        arguments: [false, true], [false, true])
    func startedBefore(isNested: Bool, isRetried: Bool) async throws {
        let inner = Workflow("inner"), outer = Workflow("outer")
        let runs = Locked(0)
        let source = try outer.add("source") { () throws -> Int in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run == 1, isRetried { throw Broken() }
            return run
        }
        let used = try outer.add("used", after: source.allowingFailure) { (try? $0.get()) ?? 0 }
        let gate = try outer.addCondition("gate", of: Int.self)
        let reader = try inner.add("reader") { try used.readValue() }
        var inside = inner
        if isNested {
            inside = Workflow("middle")
            try inside.add(SubworkflowTask(subworkflow: inner))
        }
        try outer.add(SubworkflowTask(subworkflow: inside), prerequisites: [used.task, gate.task])
        try outer.start()
        await TaskRef<Int>.settled(used.task)
        #expect(await inner.outcome().isSuccess && reader.result == (isRetried ? 0 : 1))
        if isRetried { outer.retry() } else { outer.reset() }
        try outer.start()
        gate.fulfill(with: 1)
        #expect(await outer.outcome().isSuccess && reader.result == 2)
    }

    @Test(
        "WF-64, WF-68: a retry keeps conditions that are fulfilled inside, and work inside that it doesn't reach"
    )
    func keptInside() async throws {
        let tries = Locked(0)
        let outer = Workflow("outer")
        let source = try outer.add("source") { () throws -> Int in
            let isFirst = tries.withLock { tries in
                tries += 1
                return tries == 1
            }
            if isFirst { throw Broken() }
            return 1
        }
        let gate = try outer.addCondition("gate", of: Int.self)
        let below = Workflow("below"), aside = Workflow("aside")
        let approval = try below.addCondition("approval", of: Int.self)
        let reader = try aside.add("reader") { 7 }
        try outer.add(SubworkflowTask(subworkflow: below), prerequisites: [source.task])
        try outer.add(SubworkflowTask(subworkflow: aside), prerequisites: [gate.task])
        approval.fulfill(with: 3)
        try outer.start()
        await TaskRef<Int>.settled(source.task)
        #expect(await aside.outcome().isSuccess)
        outer.retry()
        gate.fulfill(with: 1)
        #expect(await outer.outcome().isSuccess)
        #expect(approval.result == 3 && reader.task.snapshot.attempt == 1)
    }

    @Test("WF-64: a reset takes back the fulfilment of a condition inside a task that hasn't begun")
    func resetOfFulfilment() async throws {
        let inner = Workflow("inner"), outer = Workflow("outer")
        let first = try inner.add("first") { 1 }
        let gate = ExternalConditionTask(name: "gate")
        try inner.add(gate, prerequisites: [first.task])
        let source = try outer.add("source") { 1 }
        try outer.add(SubworkflowTask(subworkflow: inner), prerequisites: [source.task])
        #expect(gate.fulfill(with: 1) && gate.state == .pending)
        outer.reset()
        #expect(!gate.isFulfilled)
        #expect(gate.fulfill(with: 2))
        try await outer.run()
        #expect(gate.result as? Int == 2)
    }

    @Test(
        "WF-65, WF-66, WF-71: a task runs the workflow inside, whose tasks reach the outer results; check includes them"
    )
    func reaching() async throws {
        let inner = Workflow("inner")
        let reader = try inner.add(
            BlockTask {
                $0.finish(with: $0.task.workflow?.enclosingTask?.prerequisiteResult(forKey: "name"))
            })
        let outer = Workflow()
        let name = try outer.add(named("Ada"))
        let task = try outer.add(SubworkflowTask(subworkflow: inner), keyedPrerequisites: ["name": name])
        #expect(inner.enclosingTask === task)
        try await outer.run()
        #expect(reader.result as? String == "Ada")
        #expect(task.isFinished && task.result as? Workflow === inner)
        let empty = try outer.add(SubworkflowTask(subworkflow: Workflow("none")))
        #expect(outer.check().map(\.code) == [.emptySubworkflow])
        #expect(outer.check().first?.path == empty.taskID?.path)
    }

    @Test("WF-110: one subworkflow for two tasks, and one inside itself, are refused")
    func misuse() throws {
        let inner = Workflow("inner")
        let outer = Workflow("outer")
        try outer.add(SubworkflowTask(subworkflow: inner))
        #expect(
            workflowError { try outer.add(SubworkflowTask(subworkflow: inner)) }?.code == .subworkflowInUse)
        #expect(workflowError { try inner.add(SubworkflowTask(subworkflow: outer)) }?.code == .nestingCycle)
        #expect(workflowError { try outer.add(SubworkflowTask(subworkflow: outer)) }?.code == .nestingCycle)
    }

    @Test("WF-107: workflows are checked, run and released however deep they are inside each other")
    func deep() async throws {
        let depth = Chance.isSoak ? 20_000 : 5_000
        var outermost = Workflow("0")
        let short = TaskOptions(timeout: .seconds(7200), deadline: .seconds(3600))
        let value = try outermost.add("innermost", options: short) { 7 }
        for level in 1...depth {
            let outer = Workflow("\(level)")
            try outer.add(SubworkflowTask(name: "in", subworkflow: outermost))
            outermost = outer
        }
        let issues = outermost.check()
        #expect(issues.map(\.code) == [.shortDeadline])
        #expect(issues.first?.path.count == depth + 1)
        #expect(issues.first?.place.hasSuffix("in: inside 0: innermost") == true)
        try await outermost.run()
        #expect(value.task.result as? Int == 7)
    }
}
