import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Starting", .timeLimit(.minutes(5)))
struct StartTests {
    @Test("PL-35: start returns while the first step still waits, and runs nothing on the caller's stack")
    func startDoesNotWait() async throws {
        let gate = Gate()
        let threads = Recorder<String>()
        let key = "stepline.test.starting.\(UUID())"
        let pipeline = try makePipeline([
            plain {
                threads.record(Thread.current.threadDictionary[key] == nil ? "elsewhere" : "caller")
                gate.block()
            }
        ])
        try startMarked(pipeline, key)
        #expect(pipeline.stateWord == "running")
        gate.open()
        _ = await pipeline.outcome()
        #expect(threads.values == ["elsewhere"])
    }

    private func startMarked(_ pipeline: Pipeline<Content>, _ key: String) throws {
        Thread.current.threadDictionary[key] = true
        defer { Thread.current.threadDictionary.removeObject(forKey: key) }
        try pipeline.start()
    }

    @Test("PL-35: a second start throws, during the run and after it, and changes nothing")
    func secondStart() async throws {
        let gate = Gate()
        let runs = Recorder<Void>()
        let pipeline = try makePipeline([
            plain("count") { runs.record(()) }, held(at: gate),
        ])
        try pipeline.start()
        await gate.waitForArrivals()
        #expect(pipelineError { try pipeline.start() }?.code == .alreadyStarted)
        #expect(pipeline.stateWord == "running")
        gate.open()
        #expect(await pipeline.outcome().word == "succeeded")
        #expect(pipelineError { try pipeline.start() }?.code == .alreadyStarted)
        #expect(pipeline.stateWord == "succeeded")
        #expect(runs.count == 1)
    }

    @Test("PL-35: starting one that was cancelled beforehand does nothing and throws nothing")
    func startAfterCancel() throws {
        let runs = Recorder<Void>()
        let pipeline = try makePipeline([plain { runs.record(()) }])
        pipeline.cancel("early")
        try pipeline.start()
        try pipeline.start()
        #expect(pipeline.stateWord == "cancelled")
        #expect(runs.count == 0)
    }

    @Test("PL-42: run awaits and throws the pipeline's error, each time, or CancellationError")
    func runThrows() async throws {
        let failing = try makePipeline([plain("bad") { throw Broken() }])
        for _ in 0..<2 {
            let error = await #expect(throws: PipelineError.self) { try await failing.run() }
            #expect(error?.step?.name == "bad" && error?.underlying is Broken)
        }
        let cancelled = try makePipeline([plain()])
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.run() }
    }

    @Test("PL-42: cancelling the Swift task that awaits run cancels the pipeline")
    func taskCancellation() async throws {
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate)])
        let task = Task { try await pipeline.run() }
        await gate.waitForArrivals()
        task.cancel()
        // The step may be at its gate before `run` has come to wait.
        await eventually { pipeline.stateWord == "cancelling" }
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await pipeline.outcome().reason == .awaitingTask)
    }

    @Test(
        "PL-42: outcome can be awaited by any number, before, during and after; cancelling a wait is harmless"
    )
    func outcomes() async throws {
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate)])
        let before = Task { await pipeline.outcome().word }
        await gate.waitForArrivals()
        let during = (0..<20).map { _ in Task { await pipeline.outcome().word } }
        let given = Task { await pipeline.outcome().word }
        given.cancel()
        #expect(!pipeline.isCancelled)
        gate.open()
        #expect(await before.value == "succeeded")
        for wait in during { #expect(await wait.value == "succeeded") }
        #expect(await given.value == "succeeded")
        #expect(await pipeline.outcome().word == "succeeded")
    }
}
