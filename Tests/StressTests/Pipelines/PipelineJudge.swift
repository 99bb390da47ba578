import Stepline
import SteplineTesting

/// The checks of a random pipeline after its end.
struct PipelineJudge {
    private(set) var faults: [String] = []

    init(_ run: PipelineRun, _ outcome: Outcome<Content>, _ events: [PipelineEvent]) {
        for contradiction in run.contradictions.values { faults.append(contradiction) }
        hold(run.overlaps.values.isEmpty, "steps overlapped")
        hold(run.cancels.values.count { $0 } <= 1, "two cancels came first")
        // The step that runs may still fail by itself, which only the events tell.
        hold(
            !run.cancels.values.contains(true) || outcome.cancellation != nil,
            "cancelled first, and ended otherwise")
        hold(run.pipeline.steps.allSatisfy { $0.isFinished }, "a step hasn't ended")
        hold(run.ends.values.map(\.word) == [outcome.word], "told of the end not exactly once")
        judgeSteps(run, outcome)
        judgeCallbacks(run, outcome)
        judgeEvents(events, outcome)
    }

    private mutating func hold(_ holds: Bool, _ fault: String) { if !holds { faults.append(fault) } }

    private mutating func judgeSteps(_ run: PipelineRun, _ outcome: Outcome<Content>) {
        let line = run.pipeline.steps.compactMap(\.options.name)
        let expected = Set(run.added.values).subtracting(run.removed.values)
        hold(Set(line) == expected, "a step was lost or came from nowhere")
        hold(Set(line).count == line.count, "a step is there twice")
        let ran = run.ran.values
        if case .success = outcome {
            hold(ran == line, "a success without all steps, in order")
        } else {
            hold(ran == line.filter(ran.contains), "steps ran out of order")
        }
    }

    private mutating func judgeCallbacks(_ run: PipelineRun, _ outcome: Outcome<Content>) {
        let (successes, failures) = (run.successes.count, run.failures.values)
        switch outcome {
        case .success: hold(successes <= 1 && failures.isEmpty, "callbacks of a success")
        case .failure(let error):
            hold(successes == 0 && failures.count <= 1, "callbacks of a failure")
            hold(failures.allSatisfy { $0.description == "\(error)" }, "told of another failure")
        case .cancelled: hold(successes == 0 && failures.isEmpty, "callbacks of a cancellation")
        }
    }

    private mutating func judgeEvents(_ events: [PipelineEvent], _ outcome: Outcome<Content>) {
        hold(zip(events, events.dropFirst()).allSatisfy { $0.number < $1.number }, "events out of order")
        guard case .ended(let end)? = events.last?.kind else {
            return faults.append("the stream did not close with the end")
        }
        switch (end, outcome) {
        case (.succeeded, .success), (.failed, .failure), (.cancelled, .cancelled): break
        default: faults.append("the last event contradicts the outcome")
        }
        var current: StepPosition?
        for event in events {
            switch event.kind {
            case .stepStarted(let position, _):
                hold(current == nil || current?.name == position.name, "a step began within another")
                current = position
            case .stepEnded(let position, _, _, _):
                hold(current?.name == position.name, "another step ended than began")
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
