import Foundation
import Stepline
import SteplineTesting
import Testing

/// Random pipelines under random treatment from several threads; what must hold is checked after each.
@Suite("Pipelines under stress", .serialized)
struct PipelineStressTests {
    @Test("PL-22, 25, 26, 36, 40, 41, 44, 47, 48, 65: random edits, cancels and ends from several threads")
    func randomPrograms() async throws {
        print("pipeline stress: seed \(StressRun.seed), \(StressRun.rounds) rounds")
        for round in 0..<StressRun.rounds {
            let seed = StressRun.seed &+ UInt64(round)
            var random = SeededGenerator(seed: seed)
            let program = PipelineProgram(&random)
            let released = Gate()
            do {
                let run = try PipelineRun(program, released: released)
                let events = collect(run.pipeline.events)
                let outcome = await run.run()
                judge(run, outcome, await events.value, seed)
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

    private func judge(
        _ run: PipelineRun, _ outcome: Outcome<Content>, _ events: [PipelineEvent], _ seed: UInt64
    ) {
        let story = "seed \(seed), program \(run.program), outcome \(outcome)"
        #expect(run.contradictions.values.isEmpty, "\(story)")
        #expect(run.overlaps.values.isEmpty, "steps overlapped: \(story)")
        #expect(run.cancels.values.count { $0 } <= 1, "two came first: \(story)")
        if run.cancels.values.contains(true) {
            // The step that runs may still fail by itself, which only the events tell.
            #expect(outcome.cancellation != nil, "cancelled first, and ended otherwise: \(story)")
        }
        #expect(run.pipeline.steps.allSatisfy { $0.isFinished }, "a step hasn't ended: \(story)")
        #expect(run.ends.values.map(\.word) == [outcome.word], "told of the end not exactly once: \(story)")
        judgeSteps(run, outcome, story)
        judgeCallbacks(run, outcome, story)
        judgeEvents(events, outcome, story)
    }

    private func judgeSteps(_ run: PipelineRun, _ outcome: Outcome<Content>, _ story: String) {
        let line = run.pipeline.steps.compactMap(\.options.name)
        let expected = Set(run.added.values).subtracting(run.removed.values)
        #expect(Set(line) == expected, "a step was lost or came from nowhere: \(story)")
        #expect(Set(line).count == line.count, "a step is there twice: \(story)")
        let ran = run.ran.values
        if case .success = outcome {
            #expect(ran == line, "a success without all steps, in order: \(story)")
        } else {
            let handedOver = line.filter(ran.contains)
            #expect(ran == handedOver, "steps ran out of order: \(story)")
        }
    }

    private func judgeCallbacks(_ run: PipelineRun, _ outcome: Outcome<Content>, _ story: String) {
        let (successes, failures) = (run.successes.count, run.failures.values)
        switch outcome {
        case .success: #expect(successes <= 1 && failures.isEmpty, "\(story)")
        case .failure(let error):
            #expect(successes == 0 && failures.count <= 1, "\(story)")
            for told in failures { #expect(told.description == "\(error)", "\(story)") }
        case .cancelled: #expect(successes == 0 && failures.isEmpty, "\(story)")
        }
    }

    private func judgeEvents(_ events: [PipelineEvent], _ outcome: Outcome<Content>, _ story: String) {
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.number < $1.number }, "\(story)")
        guard case .ended(let end)? = events.last?.kind else {
            Issue.record("the stream did not close with the end: \(story)")
            return
        }
        switch (end, outcome) {
        case (.succeeded, .success), (.failed, .failure), (.cancelled, .cancelled): break
        default: Issue.record("the last event contradicts the outcome: \(story)")
        }
        var current: StepPosition?
        for event in events {
            switch event.kind {
            case .stepStarted(let position, _):
                #expect(current == nil || current?.name == position.name, "\(story)")
                current = position
            case .stepEnded(let position, _, _, _):
                #expect(current?.name == position.name, "\(story)")
                current = nil
            case .started, .progressed, .retrying, .stalled, .cancelling, .ended: break
            }
        }
    }
}

extension Outcome<Content> {
    fileprivate var word: String {
        switch self {
        case .success: "succeeded"
        case .failure(let error): "failed: \(error)"
        case .cancelled(let reason): "cancelled: \(reason)"
        }
    }
}
