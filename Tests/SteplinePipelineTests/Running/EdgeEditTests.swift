import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite("Edits and texts at their edges", .timeLimit(.minutes(5)))
struct EdgeEditTests {
    @Test("PL-25: a pipeline that is being cancelled takes no more steps: it would never run them")
    func addedWhileCancelling() async throws {
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate)])
        try pipeline.start()
        await gate.waitForArrivals()
        pipeline.cancel()
        let late = plain()
        #expect(pipelineError { try pipeline.addStep(late) }?.code == .ended)
        #expect(late.pipeline == nil)
        #expect(pipeline.steps.count == 1)
        gate.open()
        #expect(await pipeline.outcome().word == "cancelled")
    }

    private struct Tall: CustomStringConvertible {
        var description: String { "one\ntwo\r\nthree" }
    }

    @Test("PL-7: an entry takes one line of at most 200 characters, whatever its name and value are")
    func tallAndLong() {
        var content = Content()
        content[String(repeating: "n", count: 5000)] = 1
        content["tall\nname"] = Tall()
        content["long"] = [String](repeating: "x", count: 10).joined() + String(repeating: "y", count: 10_000)
        let lines = "\(content)".split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.count <= 202 })
    }

    @Test(
        "PL-46: explain() works at any reading of the clock",
        arguments: [1e300, -1e300, .nan, .infinity, 1e15])
    func strangeDates(seconds: Double) async throws {
        let clock = ManualClock(start: Date(timeIntervalSinceReferenceDate: seconds))
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate)], options: .init(clock: clock))
        try pipeline.start()
        await gate.waitForArrivals()
        #expect(pipeline.explain().description.contains("body"))
        gate.open()
        _ = await pipeline.outcome()
    }
}
