import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Editing", .timeLimit(.minutes(5)))
struct EditingTests {
    private func names(_ pipeline: Pipeline<Content>) -> [String] {
        pipeline.steps.map { $0.options.name ?? "?" }
    }

    @Test("PL-21: a new pipeline is ready, without steps, content, output or error")
    func new() {
        let pipeline = Pipeline("forecast", id: "any text / 7 \u{1F30D}")
        #expect(pipeline.stateWord == "ready")
        #expect(!pipeline.isExecuting && !pipeline.isFinished && !pipeline.isCancelled)
        #expect(pipeline.steps.isEmpty)
        #expect(pipeline.content == nil)
        #expect(pipeline.output == nil)
        #expect(pipeline.error == nil)
        #expect(pipeline.id == "any text / 7 \u{1F30D}")
        #expect(Pipeline().name == "pipeline")
        #expect(Pipeline(id: "").id == "")
    }

    @Test("PL-21: made from a list of unlike steps, it goes by their keys, and is checked")
    func list() async throws {
        let count = ContentKey<Int>("count")
        let steps: [any Step] = [
            BlockStep(from: .nothing, to: .bodyData) { Data("text".utf8) },
            BlockStep(from: .bodyData, to: count) { $0.count },
        ]
        let pipeline = Pipeline("list", steps: steps)
        #expect(pipeline.steps.count == 2 && pipeline.name == "list")
        #expect(try await pipeline.run(returning: count) == 4)
        let missing = BlockStep(from: count, to: .nothing) { _ in }
        #expect(Pipeline(steps: [missing]).check().map(\.code) == [.missingInput])
    }

    @Test("PL-21, PL-28: an id that isn't given is unique; an empty pipeline's copy keeps only the name")
    func identity() throws {
        #expect(Set((0..<1000).map { _ in Pipeline().id }).count == 1000)
        let pipeline = Pipeline("forecast", id: "one")
        let copies = try [pipeline.copy(), pipeline.copy()]
        #expect(copies.allSatisfy { $0.name == "forecast" && $0.steps.isEmpty })
        #expect(Set(copies.map(\.id) + ["one"]).count == 3)
    }

    @Test("PL-21: the description shows name, id, step count and state")
    func description() async throws {
        let pipeline = Pipeline("forecast", id: "id-7")
        for part in ["forecast", "id-7", "0 steps", "ready"] { #expect("\(pipeline)".contains(part)) }
        try pipeline.addStep(plain())
        try pipeline.addStep(plain())
        #expect("\(pipeline)".contains("2 steps"))
        try await pipeline.run()
        #expect("\(pipeline)".contains("succeeded"))
    }

    @Test("PL-22: addStep appends; insert puts right after or before; nil is first or last")
    func order() throws {
        let pipeline = Pipeline()
        let a = plain("a")
        let b = plain("b")
        try pipeline.addStep(a)
        try pipeline.addStep(b)
        try pipeline.insert(plain("c"), after: a)
        try pipeline.insert(plain("d"), before: b)
        try pipeline.insert(plain("e"), after: nil)
        try pipeline.insert(plain("f"), before: nil)
        try pipeline.insert(plain("g"), after: b)
        try pipeline.insert(plain("h"), before: a)
        #expect(names(pipeline) == ["e", "h", "a", "c", "d", "b", "g", "f"])
    }

    @Test("PL-23: a step that belongs to any pipeline is refused, this one or another")
    func inUse() throws {
        let step = plain()
        let pipeline = try makePipeline([step])
        let other = try makePipeline([plain()])
        let errors = [
            pipelineError { try pipeline.addStep(step) }, pipelineError { try other.addStep(step) },
            pipelineError { try other.insert(step, after: nil) },
        ]
        #expect(errors.allSatisfy { $0?.code == .stepInUse }, "\(errors)")
        #expect(pipeline.steps.count == 1 && other.steps.count == 1)
        #expect(step.pipeline === pipeline)
    }

    @Test("PL-23: a step that runs or has run is refused")
    func alreadyRun() async throws {
        let used = plain()
        await used.runAlone()
        let gate = Gate()
        let running = held(at: gate)
        running.start()
        let pipeline = Pipeline()
        #expect(pipelineError { try pipeline.addStep(used) }?.code == .stepAlreadyRun)
        #expect(pipelineError { try pipeline.addStep(running) }?.code == .stepAlreadyRun)
        gate.open()
        let done = plain()
        var first: Pipeline<Content>? = try makePipeline([done])
        try await first?.run()
        first = nil
        #expect(pipelineError { try pipeline.addStep(done) }?.code == .stepAlreadyRun)
        #expect(pipeline.steps.isEmpty)
    }

    @Test("PL-23: a reference step of another pipeline, or of none, is unknown; the new step stays free")
    func unknown() throws {
        let pipeline = try makePipeline([plain()])
        let foreign = plain()
        let other = try makePipeline([foreign])
        let step = plain("free")
        for reference in [foreign, plain()] {
            let errors = [
                pipelineError { try pipeline.insert(step, after: reference) },
                pipelineError { try pipeline.insert(step, before: reference) },
                pipelineError { try pipeline.remove(reference) },
                pipelineError { try pipeline.removeSteps(from: reference) },
            ]
            #expect(errors.allSatisfy { $0?.code == .unknownStep }, "\(errors)")
        }
        #expect(step.pipeline == nil)
        try other.addStep(step)
        #expect(pipeline.steps.count == 1)
        #expect(other.steps.count == 2)
    }

    @Test("PL-24: inserting before a step that was handed over, runs or has ended throws .positionPassed")
    func passed() async throws {
        let gate = Gate()
        let queue = OperationQueue()
        let done = plain("done")
        let running = held(at: gate, "running")
        let later = plain("later")
        let pipeline = try makePipeline([done, running, later.on(queue)])
        try pipeline.start()
        await gate.waitForArrivals()
        let errors = [
            pipelineError { try pipeline.insert(plain(), before: done) },
            pipelineError { try pipeline.insert(plain(), before: running) },
            pipelineError { try pipeline.insert(plain(), after: done) },
            pipelineError { try pipeline.insert(plain(), after: nil) },
        ]
        #expect(errors.allSatisfy { $0?.code == .positionPassed }, "\(errors)")
        #expect(names(pipeline) == ["done", "running", "later"])
        try pipeline.insert(plain("new"), after: running)
        try pipeline.insert(plain("newer"), before: later)
        gate.open()
        #expect(await pipeline.outcome().word == "succeeded")
        #expect(names(pipeline) == ["done", "running", "new", "newer", "later"])
    }

    @Test("PL-24: a step that waits in its queue has been handed over")
    func dispatched() async throws {
        let queue = OperationQueue()
        queue.isSuspended = true
        let waiting = plain().on(queue)
        let pipeline = try makePipeline([waiting])
        try pipeline.start()
        #expect(pipelineError { try pipeline.insert(plain(), before: waiting) }?.code == .positionPassed)
        #expect(pipelineError { try pipeline.remove(waiting) }?.code == .positionPassed)
        queue.isSuspended = false
        #expect(await pipeline.outcome().word == "succeeded")
    }
}
