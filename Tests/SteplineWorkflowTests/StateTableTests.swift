import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StateTableTests {
    /// Returns a task in a state, between two others, once `isPending` to `isFailed` mirror the state (WF-2).
    static func bring(to state: WorkflowTask.State) async throws -> (Workflow, HandTask, HandTask) {
        let workflow = Workflow()
        let above = try workflow.add(HandTask(name: "above"))
        let task = try workflow.add(
            HandTask(name: "task"), prerequisites: state == .pending ? [above] : [])
        let below = try workflow.add(HandTask(name: "below"), prerequisites: [task])
        switch state {
        case .pending, .ready: break
        case .cancelled: task.cancel()
        case .executing, .finished, .failed:
            try task.start()
            let attempt = await task.attempt()
            if state == .finished { attempt.finish(with: 1) }
            if state == .failed { attempt.fail(with: Broken()) }
        }
        let mirrors = [
            task.isPending, task.isReady, task.isExecuting, task.isCancelled, task.isFinished, task.isFailed,
        ]
        #expect(task.state == state && mirrors == WorkflowTask.State.allCases.map { $0 == state })
        return (workflow, task, below)
    }

    @Test("WF-18, WF-28: cancel by state", arguments: WorkflowTask.State.allCases)
    func cancel(_ state: WorkflowTask.State) async throws {
        let (workflow, task, below) = try await Self.bring(to: state)
        // A Finished task stays, and its dependent that runs is cancelled.
        if state == .finished { _ = await below.attempt() }
        task.cancel()
        let changes: [WorkflowTask.State] = [.pending, .ready, .executing]
        #expect(task.state == (changes.contains(state) ? .cancelled : state))
        // In every state the message goes on to the dependents.
        #expect(below.state == .cancelled)
        withExtendedLifetime(workflow) {}
    }

    @Test("WF-18: reset by state", arguments: WorkflowTask.State.allCases)
    func reset(_ state: WorkflowTask.State) async throws {
        let (workflow, task, below) = try await Self.bring(to: state)
        if state == .finished { _ = await below.attempt() }
        task.reset()
        if state == .pending { #expect(task.isPending) } else { await task.untilReady() }
        #expect(below.state == .pending)
        withExtendedLifetime(workflow) {}
    }

    @Test("WF-18, WF-21: retry by state", arguments: WorkflowTask.State.allCases)
    func retry(_ state: WorkflowTask.State) async throws {
        let (workflow, task, below) = try await Self.bring(to: state)
        if state == .finished {
            await below.attempt().fail()
        }
        task.retry()
        switch state {
        case .failed, .cancelled: await task.untilReadyOrExecuting()
        default: #expect(task.state == state)
        }
        if state == .finished { await below.untilReadyOrExecuting() }
        withExtendedLifetime(workflow) {}
    }

    @Test("WF-18, WF-19: start by state", arguments: WorkflowTask.State.allCases)
    func start(_ state: WorkflowTask.State) async throws {
        let (workflow, task, _) = try await Self.bring(to: state)
        let before = task.snapshot.attempt
        try task.start()
        try task.start()
        if state == .ready {
            _ = await task.attempt()
            #expect(task.isExecuting && task.snapshot.attempt == 1)
        } else {
            #expect(task.state == state && task.snapshot.attempt == before)
        }
        withExtendedLifetime(workflow) {}
    }

    @Test("WF-19: a task cancelled before its body begins never begins")
    func cancelledBefore() async throws {
        let workflow = Workflow(options: .init(maximumConcurrency: 1))
        let gate = Gate()
        let blocker = try workflow.add(BlockTask { $0.finish(with: gate.block()) })
        let task = try workflow.add(HandTask())
        try blocker.start()
        await gate.waitForArrivals()
        try task.start()
        task.cancel()
        gate.open()
        await workflow.settle()
        #expect(task.attempts.count == 0 && task.isCancelled)
    }

    @Test("WF-20: reset of a Ready task passes through Pending and loses a start that was due")
    func resetReady() async throws {
        let workflow = Workflow(options: .init(maximumConcurrency: 1))
        let gate = Gate()
        let blocker = try workflow.add(BlockTask { $0.finish(with: gate.block()) })
        let task = try workflow.add(HandTask())
        let changes = Recorder<String>()
        let token = task.observe { changes.record("\($0.oldState) \($0.newState)") }
        try blocker.start()
        await gate.waitForArrivals()
        try task.start()
        task.reset()
        #expect(task.hooks.values == ["didReset Pending"])
        #expect(changes.values == ["Ready Pending", "Pending Ready"])
        gate.open()
        await TaskRef<Bool>.settled(blocker)
        #expect(task.isReady && task.attempts.count == 0)
        token.cancel()
    }

    @Test("WF-22: with two prerequisites that end, one decision starts the dependent, both results in place")
    func twoPrerequisites() async throws {
        for _ in 0..<50 {
            let workflow = Workflow()
            let left = try workflow.add("left") { 1 }
            let right = try workflow.add("right") { 2 }
            let runs = Recorder<Int>()
            try workflow.add("sum", after: left, right) { left, right in runs.record(left + right) }
            try await workflow.run()
            #expect(runs.values == [3])
        }
    }

    @Test(
        "WF-27, WF-107: a message reaches each task downstream once, by however many paths, and none upstream"
    )
    func reachedOnce() async throws {
        let workflow = Workflow()
        let upstream = try workflow.add(HandTask())
        var last = try workflow.add(HandTask(), prerequisites: [upstream])
        let first = last
        var all = [last]
        // There are 3^60 paths to the last task.
        for _ in 0..<60 {
            let middle = try (0..<3).map { _ in try workflow.add(HandTask(), prerequisites: [last]) }
            last = try workflow.add(HandTask(), prerequisites: middle)
            all += middle + [last]
        }
        first.cancel()
        #expect(upstream.isReady && all.allSatisfy { $0.hooks.values == ["didCancel"] })
        #expect(workflow.taskCount(in: .cancelled) == 241)
    }
}

extension TaskRef {
    /// Waits for the end of a task, whatever it is.
    static func settled(_ task: WorkflowTask) async {
        _ = try? await TaskRef<Output>(task).value
    }
}
