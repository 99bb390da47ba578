import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting

struct Broken: Error, Equatable {
    var number = 0
}

/// A step without input and output.
func plain(_ name: String = "plain", _ body: @escaping @Sendable () throws -> Void = {}) -> BlockStep<
    Void, Void
> {
    BlockStep<Void, Void>(to: .nothing, body).named(name)
}

/// A step whose body waits at a gate, whatever happens to it.
func held(at gate: Gate, _ name: String = "held") -> BlockStep<Void, Void> {
    BlockStep<Void, Void>(to: .nothing) { await gate.wait() }.named(name)
}

func makePipeline(
    _ steps: [any Step], name: String = "pipeline", content: Content = Content(),
    options: PipelineOptions = .init()
) throws -> Pipeline<Content> {
    let pipeline = Pipeline(name, content: content, options: options)
    for step in steps { try pipeline.addStep(step) }
    return pipeline
}

extension Outcome {
    var word: String {
        switch self {
        case .success: "succeeded"
        case .failure: "failed"
        case .cancelled: "cancelled"
        }
    }

    var failure: PipelineError? { error as? PipelineError }

    var reason: CancellationReason? { cancellation }
}

extension AnyPipeline {
    var stateWord: String {
        switch state {
        case .ready: "ready"
        case .running: "running"
        case .cancelling: "cancelling"
        case .ended(let outcome): outcome.word
        }
    }
}

/// The error that `body` throws, as a `PipelineError`.
func pipelineError(_ body: () throws -> Void) -> PipelineError? {
    do {
        try body()
        return nil
    } catch {
        return error as? PipelineError
    }
}

/// A manual clock that tells what is scheduled on it.
struct RecordingClock: StepClock {
    let base: ManualClock
    let delays = Recorder<Duration>()

    var now: Date { base.now }
    var uptime: Duration { base.uptime }

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        defer { delays.record(delay) }
        return base.schedule(after: delay, body)
    }
}
