import Foundation
import Stepline
import SteplineSupport
import SteplineTesting
import Testing

/// Random pipelines under random treatment from several threads; what must hold is checked after each.
@Suite("Pipelines under stress", .serialized, .timeLimit(StressRun.timeLimit))
struct PipelineStressTests {
    @Test("PL-22, 25, 26, 36, 40, 41, 44, 47, 48, 65: random edits, cancels and ends from several threads")
    func randomPrograms() async throws {
        // A program takes a few milliseconds.
        for seed in StressRun.seeds(30) {
            var random = StableRandom(seed: seed)
            let program = PipelineProgram(&random)
            let released = Gate()
            do {
                let run = try PipelineRun(program, released: released)
                let events = collect(run.pipeline.events)
                let outcome = await run.run()
                let faults = PipelineJudge(run, outcome, await events.value).faults
                #expect(faults == [], "seed \(seed), program \(program), outcome \(outcome)")
            }
            await released.wait()
        }
    }

    /// Reads a stream to its end.
    private func collect(
        _ stream: some AsyncSequence<PipelineEvent, Never> & Sendable
    ) -> Task<[PipelineEvent], Never> {
        Task {
            var all: [PipelineEvent] = []
            for await event in stream { all.append(event) }
            return all
        }
    }

    @Test("the same programs in a simulation: each seed is one order")
    func playedPrograms() async throws {
        try await StressRun.play("pipelines") { simulation in
            var random = StableRandom(seed: simulation.seed)
            let run = try PipelineRun(PipelineProgram(&random, hasQueues: false), released: Gate())
            let events = run.pipeline.events
            async let collected = events.reduce(into: [PipelineEvent]()) { $0.append($1) }
            let outcome = await run.play()
            let judge = PipelineJudge(run, outcome, await collected)
            simulation.expect(judge.faults.isEmpty, "\(judge.faults) in \(run.program), outcome \(outcome)")
        }
    }
}
