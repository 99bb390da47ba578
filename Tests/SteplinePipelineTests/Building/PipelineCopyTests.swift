import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Copies of pipelines", .timeLimit(.minutes(5)))
struct PipelineCopyTests {
    private func make(_ gate: Gate? = nil, fails: Bool = false) throws -> Pipeline<Content> {
        let options = PipelineOptions(
            retry: .constant(attempts: 1), deadline: .seconds(500), grace: .seconds(3))
        return try makePipeline(
            [
                BlockStep { (text: String) in "\(text)1" }.named("one").timeout(.seconds(300)),
                BlockStep { (text: String) async throws in
                    await gate?.wait()
                    if fails { throw Broken() }
                    return "\(text)2"
                }.named("two"),
                BlockStep { (text: String) in "\(text)3" }.named("three"),
            ], name: "original", content: Content(object: "0"), options: options)
    }

    private func expectFresh(_ copy: Pipeline<Content>, of original: Pipeline<Content>) {
        #expect(copy.stateWord == "ready")
        #expect(copy.content == nil)
        #expect(copy.error == nil)
        #expect(copy.output == nil)
        #expect(copy.id != original.id)
        #expect(copy.name == original.name)
        #expect(copy.options.deadline == original.options.deadline)
        #expect(copy.options.grace == original.options.grace)
        #expect(copy.steps.map { $0.options.name } == original.steps.map { $0.options.name })
        #expect(copy.steps.map { $0.options.timeout } == original.steps.map { $0.options.timeout })
        #expect(zip(copy.steps, original.steps).allSatisfy { $0 !== $1 && type(of: $0) == type(of: $1) })
    }

    @Test("PL-20, 28, 35: a copy has copies of all steps, name, options and first bag; a new id, no results")
    func ready() async throws {
        let original = try make()
        let copy = try original.copy()
        expectFresh(copy, of: original)
        #expect(try await copy.run(returning: String.self) == "0123")
        #expect(original.stateWord == "ready")
        #expect(try await original.run(returning: String.self) == "0123")
        let again = try original.copy()
        expectFresh(again, of: original)
        #expect(try await again.run(returning: String.self) == "0123")
    }

    @Test("PL-28: whatever the original's state: running, cancelling, failed, cancelled")
    func anyState() async throws {
        let gate = Gate()
        let running = try make(gate)
        try running.start()
        await gate.waitForArrivals()
        let ofRunning = try running.copy()
        expectFresh(ofRunning, of: running)
        running.cancel()
        #expect(running.stateWord == "cancelling")
        let ofCancelling = try running.copy()
        expectFresh(ofCancelling, of: running)
        gate.open()
        #expect(await running.outcome().word == "cancelled")
        let ofCancelled = try running.copy()
        expectFresh(ofCancelled, of: running)
        for copy in [ofRunning, ofCancelling, ofCancelled] {
            #expect(try await copy.run(returning: String.self) == "0123")
        }
        let failed = try make(fails: true)
        try failed.start()
        #expect(await failed.outcome().word == "failed")
        let ofFailed = try failed.copy()
        expectFresh(ofFailed, of: failed)
    }

    @Test("PL-28: a copy is fully editable, and edits of one don't show in the other")
    func editable() async throws {
        let original = try make()
        let copy = try original.copy()
        try copy.remove(copy.steps[1])
        try copy.insert(BlockStep { (text: String) in "\(text)x" }, after: copy.steps[0])
        try copy.addStep(BlockStep { (text: String) in "\(text)y" })
        #expect(original.steps.count == 3)
        #expect(try await copy.run(returning: String.self) == "01x3y")
        #expect(try await original.run(returning: String.self) == "0123")
    }

    @Test("PL-28: a step that can't be copied makes it throw .notCopyable with name and position")
    func notCopyable() throws {
        let pipeline = try makePipeline([plain(), plain(), EmptyBasicStep().named("stubborn")], name: "line")
        let error = try #require(pipelineError { _ = try pipeline.copy() })
        #expect(error.code == .notCopyable)
        #expect(error.pipeline == "line")
        #expect(error.step?.description == #"step 3 of 3 "stubborn""#)
        #expect(error.step?.type == "EmptyBasicStep")
    }

    @Test("PL-28: a step that couldn't be added keeps the pipeline's copy, too, from starting")
    func refused() throws {
        let used = plain()
        let other = try makePipeline([used])
        let copy = try Pipeline(steps: [used]).copy()
        #expect(other.steps.count == 1 && copy.steps.isEmpty)
        #expect(copy.check().map(\.code) == [.stepNotAdded])
        #expect(pipelineError { try copy.start() }?.code == .checkFailed)
    }

    @Test("PL-29: a copy has no observers")
    func withoutObservers() async throws {
        let reported = Recorder<String>()
        let original = try make()
        original.onSuccess { _ in reported.record("success") }
        original.onEnd { _ in reported.record("end") }
        let copy = try original.copy()
        try await copy.run()
        #expect(reported.count == 0)
        try await original.run()
        await reported.waitForCount(2)
        #expect(reported.values == ["end", "success"])
    }

    @Test("PL-29: with observers it brings those still registered, which are called with the copy")
    func withCallbacks() async throws {
        let reported = Recorder<String>()
        let observed = Recorder<AnyPipeline>()
        let observer = PipelineObserver { pipeline, _ in observed.record(pipeline) }
        let original = try make()
        observer.observe(original)
        let owner = Broken.Owner()
        original.onSuccess { bag in reported.record("success \(bag.bodyObject ?? "")") }
        original.onFailure { _ in reported.record("failure") }
        original.onEnd { _ in reported.record("end") }
        original.onEnd { _ in reported.record("ended subscription") }.cancel()
        original.onFailure(for: owner) { _ in reported.record("removed") }
        original.removeFailureCallbacks(of: owner)
        let copy = try original.copy(withCallbacks: true)
        try await copy.run()
        await reported.waitForCount(2)
        #expect(reported.values == ["end", "success 0123"])
        #expect(observed.values.map(\.id) == [copy.id])
        let failing = try make(fails: true)
        failing.onFailure { _ in reported.record("failure") }
        let failingCopy = try failing.copy(withCallbacks: true)
        try failingCopy.start()
        await reported.waitForCount(3)
        #expect(reported.values[2] == "failure")
        #expect(failingCopy.stateWord == "failed")
        #expect(failing.stateWord == "ready")
    }

    @Test("PL-29: an owner can remove its callbacks from the copy alone")
    func owners() async throws {
        let reported = Recorder<String>()
        let owner = Broken.Owner()
        let original = try make(fails: true)
        original.onFailure(for: owner) { reported.record($0.pipeline) }
        let copy = try original.copy(withCallbacks: true)
        copy.removeFailureCallbacks(of: owner)
        try copy.start()
        _ = await copy.outcome()
        try original.start()
        await reported.waitForCount(1)
        #expect(reported.values == [original.name])
    }
}

extension Broken {
    fileprivate final class Owner: Sendable {}
}
