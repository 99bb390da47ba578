import Foundation
import Stepline
import SteplineSupport
import SteplineTesting
import Testing

private struct Broken: Error {}

@Suite(.timeLimit(.minutes(5)))
struct PipelineTaskTests {
    @Test("WF-72: each attempt runs a pipeline that is made as the attempt begins; a check makes its own")
    func freshPipelines() async throws {
        let made = Recorder<AnyPipeline>()
        let workflow = Workflow()
        let task = PipelineTask(name: "feed", output: ContentKey<Int>("count")) {
            let pipeline = Pipeline { BlockStep(from: .nothing, to: ContentKey<Int>("count")) { 3 } }
            made.record(pipeline)
            return pipeline
        }
        try workflow.add(task)
        #expect(workflow.check().isEmpty)
        #expect(made.count == 1)
        try await workflow.run()
        #expect(task.result as? Int == 3)
        #expect(made.values.map(\.isFinished) == [false, false, true])
        task.reset()
        try await workflow.run()
        #expect(made.values.map(\.isFinished) == [false, false, true, false, true])
    }

    @Test("WF-72: a pipeline is made from the current result of its prerequisite")
    func madeFromResult() async throws {
        let workflow = Workflow(), number = Locked(42), product = ContentKey<Int>("product")
        let source = try workflow.add("number") { number.withLock { $0 } }
        let task = try workflow.add(
            PipelineTask(name: "double", output: product) {
                let factor = source.result ?? 0
                return Pipeline { BlockStep(from: .nothing, to: product) { factor * 2 } }
            }, prerequisites: [source.task])
        let issues = workflow.check()
        #expect(issues.map(\.severity) == [.warning] && issues.map(\.subject) == ["double"])
        #expect(issues.first?.description.contains("can't be checked") == true)
        try await workflow.run()
        #expect(task.result as? Int == 84 && workflow.check().isEmpty)
        number.withLock { $0 = 21 }
        source.task.reset()
        #expect(workflow.check().count == 1)
        try await workflow.run()
        #expect(task.result as? Int == 42)
    }

    @Test("WF-72: check() skips a pipeline whose closure reads results that don't exist yet")
    func checkWithoutResults() async throws {
        let workflow = Workflow(), absent = ContentKey<Int>("absent"), product = ContentKey<Int>("product")
        let source = try workflow.add(BlockTask(name: "number") { $0.finish(with: 21) })
        let task = PipelineTask(name: "double", output: product) { () -> AnyPipeline in
            guard let number = source.result as? Int else {
                return Pipeline { BlockStep(from: absent, to: product) { $0 } }
            }
            return Pipeline { BlockStep(from: .nothing, to: product) { number * 2 } }
        }
        try workflow.add(task, prerequisites: [source])
        try await workflow.run()
        #expect(task.result as? Int == 42)
    }

    @Test("WF-72: a closure that throws fails the attempt; a started pipeline fails it too")
    func misuse() async throws {
        let workflow = Workflow()
        let thrower = try workflow.add(PipelineTask { () -> Pipeline<Content> in throw Broken() })
        let used = Pipeline { BlockStep(from: .nothing, to: .nothing) {} }
        try await used.run()
        let stale = try workflow.add(PipelineTask { used })
        await #expect(throws: WorkflowError.self) { try await workflow.run() }
        #expect(thrower.error is Broken)
        #expect((stale.error as? WorkflowError)?.code == .pipelineNotFresh)
    }

    @Test("WF-73: keyed results come in by key, a single unkeyed one as the body")
    func content() async throws {
        let workflow = Workflow()
        let number = try workflow.add(BlockTask { $0.finish(with: 20) })
        let text = try workflow.add(BlockTask { $0.finish(with: "x") })
        let factor = ContentKey<Int>("factor")
        let keyed = try workflow.add(
            PipelineTask(output: ContentKey<Int>("product")) {
                Pipeline { BlockStep(from: factor, to: ContentKey<Int>("product")) { $0 * 2 } }
            }, keyedPrerequisites: ["factor": number])
        let body = try workflow.add(
            PipelineTask {
                Pipeline { BlockStep { (text: String) in text + "y" } }
            }, prerequisites: [text])
        let bytes = try workflow.add(BlockTask { $0.finish(with: Data([1, 2])) })
        let counted = try workflow.add(
            PipelineTask(output: ContentKey<Int>("count")) {
                Pipeline { BlockStep(from: .bodyData, to: ContentKey<Int>("count")) { $0.count } }
            }, prerequisites: [bytes])
        let after = try workflow.add(
            PipelineTask(prepare: { $0.bodyObject = "prepared" }) {
                Pipeline { BlockStep { (text: String) in text + "!" } }
            }, prerequisites: [body, counted])
        try await workflow.run()
        #expect(keyed.result as? Int == 40)
        #expect(body.result as? String == "xy")
        #expect(counted.result as? Int == 2)
        #expect(after.result as? String == "prepared!")
    }

    @Test("WF-73: a Void result of a prerequisite leaves the first bag as it is; output: .content is the bag")
    func voidPrerequisite() async throws {
        let workflow = Workflow()
        let prepare = try workflow.add(
            PipelineTask { Pipeline { BlockStep(from: .nothing, to: .nothing) {}.byKeys() } })
        var given = Content()
        given.bodyObject = "given"
        let reading = try workflow.add(
            PipelineTask(output: .content) { [given] in
                Pipeline(content: given) { BlockStep { (text: String) in text.count } }
            }, prerequisites: [prepare])
        try await workflow.run()
        #expect((reading.result as? Content)?.bodyObject as? Int == 5)
    }

    @Test("WF-74: the error is the pipeline's own, with step and place")
    func error() async throws {
        let workflow = Workflow()
        let task = try workflow.add(
            PipelineTask(name: "feed") {
                Pipeline("feed") { BlockStep<Void, Void>(to: .nothing) { throw Broken() }.named("bad") }
            })
        await #expect(throws: WorkflowError.self) { try await workflow.run() }
        let error = try #require(task.error as? PipelineError)
        #expect(error.step?.name == "bad" && error.underlying is Broken)
    }

    @Test("WF-75: stopping the task cancels the pipeline; its finished steps are readable and reported")
    func steps() async throws {
        let gate = Gate()
        let made = Recorder<AnyPipeline>()
        let workflow = Workflow()
        let events = workflow.events
        let task = PipelineTask(name: "feed") {
            let pipeline = Pipeline("feed") {
                BlockStep<Void, Void>(to: .nothing) {}.named("one")
                // A body may hear of the cancel later: it goes on until it has.
                BlockStep<Void, Void>(to: .nothing) {
                    await withTaskCancellationHandler {
                        await gate.wait()
                    } onCancel: {
                        gate.open()
                    }
                }.named("two")
            }
            made.record(pipeline)
            return pipeline
        }
        try workflow.add(task)
        try workflow.start()
        await gate.waitForArrivals()
        for await event in events {
            if case .step(let name) = event.kind {
                #expect(name == "one")
                break
            }
        }
        #expect(task.stepProgress.done == 1 && task.stepProgress.count == 2)
        task.cancel()
        let pipeline = try #require(made.values.last)
        let outcome = await pipeline.outcome()
        guard case .cancelled = outcome else {
            Issue.record("it ended as \(outcome)")
            return
        }
        #expect(task.isCancelled)
    }

    @Test("WF-41, WF-42: the check looks into pipelines, and nothing runs then")
    func check() throws {
        let workflow = Workflow()
        try workflow.add(
            PipelineTask(name: "feed") {
                Pipeline { BlockStep(from: ContentKey<Int>("absent"), to: .nothing) { _ in } }
            })
        let other = try workflow.add("other") { 1 }
        let issues = workflow.check()
        #expect(issues.count == 1 && issues[0].subject == "feed" && issues[0].description.contains("absent"))
        #expect(throws: WorkflowError.self) { try workflow.start() }
        #expect(other.task.isReady)
    }
}
