import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LifetimeTests {
    /// Knows whether an object is still there.
    final class Trace: Sendable {
        let isGone = Gate()
        let token: Token

        init() { token = Token(isGone) }

        final class Token: Sendable {
            private let gone: Gate
            init(_ gone: Gate) { self.gone = gone }
            deinit { gone.open() }
        }
    }

    @Test("WF-105: a workflow is freed completely once its users release it, in any state", arguments: 0..<5)
    func dropped(_ stage: Int) async throws {
        let gone = Gate()
        weak var dropped: Workflow?
        do {
            let token = Trace.Token(gone)
            let workflow = Workflow()
            dropped = workflow
            let first = try workflow.add("first") { withExtendedLifetime(token) {} }
            let bad = try workflow.add("bad") { () throws -> Void in throw Broken() }
            // A reference captured by a closure doesn't keep the workflow alive.
            try workflow.add("below", after: bad) { _ in _ = first.result }
            switch stage {
            case 0: break
            case 1: await workflow.settle()
            case 2: workflow.cancel()
            case 3:
                await workflow.settle()
                workflow.reset()
            default:
                await workflow.settle()
                workflow.retry()
                await workflow.settle()
            }
        }
        await gone.wait()
        #expect(dropped == nil)
    }

    @Test("WF-105: a running workflow stays alive until it has settled")
    func keepsItselfAlive() async throws {
        let gate = Gate()
        let ended = Recorder<Int>()
        try {
            let workflow = Workflow()
            let first = try workflow.add("first") { await gate.wait() }
            try workflow.add("second", after: first) { _ in ended.record(2) }
            try workflow.start()
        }()
        gate.open()
        await ended.waitForCount(1)
    }

    @Test(
        "WF-105: a result that holds a TaskRef of its own workflow is kept until a reset, or until it is forgotten",
        arguments: [true, false])
    func resultWithOwnReference(forgets: Bool) async throws {
        struct Holder: Sendable {
            let own: TaskRef<Holder>?
            let token: Trace.Token
        }
        let gone = Gate()
        weak var dropped: Workflow?
        do {
            let workflow = Workflow(), own = Locked<TaskRef<Holder>?>(nil)
            dropped = workflow
            let task = try workflow.add("holder") {
                Holder(own: own.withLock { $0 }, token: Trace.Token(gone))
            }
            own.withLock { $0 = task }
            try await workflow.run()
            if forgets { #expect(workflow.forget([task.task]).isEmpty) } else { workflow.reset() }
            own.withLock { $0 = nil }
        }
        await gone.wait()
        await eventually { dropped == nil }
    }

    @Test("WF-106: tasks outlive their workflow, with state and result, and may join another")
    func outlive() async throws {
        var workflow: Workflow? = Workflow()
        let good = named("good")
        let bad = BlockTask(name: "bad") { $0.fail(with: Broken(number: 5)) }
        try workflow?.add(good)
        try workflow?.add(bad)
        await workflow?.settle()
        workflow = nil
        // The thread that has notified the end may hold the workflow a moment longer.
        await eventually { good.taskID == nil && bad.taskID == nil }
        #expect(good.isFinished && good.result as? String == "good")
        #expect(bad.error as? Broken == Broken(number: 5) && bad.finishDate != nil)
        #expect(workflowError { try good.start() }?.code == .noWorkflow)
        let changes = Recorder<String>()
        let token = bad.observe { changes.record("\($0.newState)") }
        bad.retry()
        #expect(bad.isReady && changes.values == ["Ready"])
        bad.cancel()
        #expect(bad.isCancelled)
        let next = Workflow()
        try next.add(good)
        let below = try next.add(named("below"), prerequisites: [good])
        #expect(good.isFinished && below.isReady)
        try await next.run()
        #expect(good.snapshot.attempt == 1 && below.isFinished)
        token.cancel()
    }

    @Test("WF-59, WF-60: a block gets its attempt; a method task fails when its target is gone")
    func blocksAndMethods() async throws {
        final class Model: Sendable {
            func sync(_ attempt: TaskAttempt) { attempt.finish(with: attempt.number) }
            func load() async throws -> Int { 7 }
        }
        var model: Model? = Model()
        let workflow = Workflow()
        let task = try workflow.add(MethodTask(name: "sync", target: model ?? Model(), method: Model.sync))
        let loading = try workflow.add(
            MethodTask(target: model ?? Model(), method: { model in { try await model.load() } }))
        #expect(task.target === model)
        try await workflow.run()
        #expect(task.result as? Int == 1 && loading.result as? Int == 7)
        model = nil
        #expect(task.target == nil)
        workflow.reset()
        await workflow.settle()
        #expect((task.error as? WorkflowError)?.code == .targetGone)
        #expect((loading.error as? WorkflowError)?.code == .targetGone)

        let calls = Recorder<Bool>()
        let block = BlockTask { calls.record($0.finish()) }
        block.main()
        #expect(calls.values == [false] && block.isReady)
        block.block(block.currentAttempt)
        #expect(calls.count == 2)
    }

    @Test("WF-99: explain says what a task waits for")
    func explains() async throws {
        let workflow = Workflow("order")
        let task = try workflow.add(HandTask(name: "upload"))
        let below = try workflow.add(named("below"), prerequisites: [task])
        #expect(workflow.explain(task).description == "upload may run, but hasn't been started.")
        #expect(workflow.explain(below).description == "below waits for upload (Ready).")
        #expect(workflow.explain().count == 2)
        let stranger = named("stranger")
        #expect(workflow.explain(stranger).description.contains("not in this workflow"))
        task.cancel()
        #expect(workflow.explain(below).description == "below was cancelled.")
    }
}
