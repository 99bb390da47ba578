import SteplinePipeline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Joining a pipeline", .timeLimit(.minutes(5)))
struct JoiningTests {
    @Test("PL-42: run after start joins the run, during it and after its end; no step runs twice")
    func runJoins() async throws {
        let gate = Gate()
        let runs = Recorder<Void>()
        let pipeline = Pipeline {
            BlockStep { () async in
                runs.record(())
                await gate.wait()
                return 3
            }
        }
        try pipeline.start()
        await gate.waitForArrivals()
        let waiting = (0..<5).map { _ in Task { try await pipeline.run() } }
        let typed = Task { try await pipeline.run(returning: Int.self) }
        gate.open()
        for wait in waiting { #expect(try await wait.value == 3) }
        #expect(try await typed.value == 3)
        #expect(try await pipeline.run() == 3)
        #expect(runs.count == 1)
    }

    @Test("PL-42: outcome starts an unstarted pipeline")
    func outcomeStarts() async throws {
        let pipeline = Pipeline { BlockStep { () in 3 } }
        #expect(await pipeline.outcome().value == 3)
        let erased: AnyPipeline = Pipeline { BlockStep { () in 4 } }
        #expect(await erased.outcome().value?.bodyObject as? Int == 4)
    }

    @Test("PL-42: outcome of a pipeline that can't start says why, and changes nothing")
    func outcomeRefused() async throws {
        let pipeline = Pipeline<Content>("empty")
        let error = try #require(await pipeline.outcome().failure)
        #expect(error.code == .checkFailed && error.issues.map(\.code) == [.noSteps])
        #expect(pipeline.stateWord == "ready")
    }

    @Test("PL-42: run in a cancelled Swift task leaves the run of another call alone")
    func cancelledJoin() async throws {
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate)])
        try pipeline.start()
        await gate.waitForArrivals()
        let start = Gate()
        let late = Task {
            await start.wait()
            try await pipeline.run()
        }
        late.cancel()
        start.open()
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(pipeline.stateWord == "running")
        gate.open()
        #expect(await pipeline.outcome().word == "succeeded")
    }

    @Test("PL-22: a reused step is reported once, at its place in the pipeline that refuses it")
    func reusedStep() throws {
        let shared = plain("shared")
        let first = try makePipeline([shared], name: "x")
        let second = Pipeline("y", steps: [plain("one"), shared, plain("three")])
        let issues = second.check()
        #expect(issues.map(\.code) == [.stepNotAdded])
        #expect(issues[0].path == [2])
        let error = pipelineError { try second.start() }
        #expect(
            error?.description
                == "y: the check failed, nothing was run; "
                + "step 2 of 3 \"shared\": the step belongs to a pipeline already; add a copy of it")
        let added = pipelineError { try Pipeline("z", steps: [plain("one")]).addStep(shared) }
        #expect(added?.step?.description == "step 2 of 2 \"shared\"")
        withExtendedLifetime(first) {}
    }

    @Test("PL-28, PL-29: run(on:) runs a chain on a value; copy() and copy(content:) run a template again")
    func values() async throws {
        let count = try await Pipeline.run(on: "to be or not to be") {
            BlockStep { (text: String) in text.split(separator: " ") }
            BlockStep { (words: [Substring]) in words.count }
        }
        #expect(count == 6)
        let bytes = try await Pipeline.run(on: [1, 2, 3] as [UInt8]) {
            BlockStep { (list: [UInt8]) in list.count }
        }
        #expect(bytes == 3)
        let whole = try await Pipeline.run(on: Content(body: 7)) {
            BlockStep { (bag: Content) in bag.bodyObject as? Int }
        }
        #expect(whole == 7)
        let template = Pipeline(content: Content(body: "one")) { BlockStep { (text: String) in text.count } }
        #expect(try await template.copy(content: Content(body: "three")).run() == 5)
        #expect(try await template.copy().run() == 3)
        let erased: AnyPipeline = template
        #expect(try await erased.copy(content: Content(body: "to be")).run(returning: Int.self) == 5)
        let copy = try #require(try erased.copy() as? Pipeline<Int>)
        #expect(try await copy.run() == 3)
    }
}
