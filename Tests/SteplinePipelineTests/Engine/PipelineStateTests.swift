import Foundation
import SteplineSupport
import Testing

@testable import SteplinePipeline

/// The machine by itself, without threads: an event goes in, what is to be done comes out.
@Suite("The pipeline's machine")
struct PipelineStateTests {
    private final class Nothing: BasicStep<Void, Void>, @unchecked Sendable {}

    private let moment = PipelineMoment(.system)

    private func machine(steps: Int, options: PipelineOptions = .init()) -> PipelineState {
        var machine = PipelineState(identity: PipelineIdentity("m"), options: options, content: Content())
        machine.insert((0..<steps).map { _ in Nothing() }, at: 0)
        return machine
    }

    private func isRun(_ next: PipelineEffects.Next, of index: Int, attempt: Int = 1) -> Bool {
        if case .run(_, index, attempt, _) = next { true } else { false }
    }

    private func isEnqueue(_ next: PipelineEffects.Next) -> Bool {
        if case .enqueue(nil, nil) = next { true } else { false }
    }

    private func isNothing(_ next: PipelineEffects.Next) -> Bool {
        if case .nothing = next { true } else { false }
    }

    private func outcome(_ machine: PipelineState) -> Outcome? {
        if case .ended(let outcome) = machine.phase { outcome } else { nil }
    }

    private func failure(_ wait: Duration?) -> AttemptVerdict {
        let error = PipelineError.refused(.stepFailed, pipeline: "m")
        return .failed(error, cause: error, leaving: nil, retryAfter: wait)
    }

    /// A machine whose first step's body runs.
    private func running(steps: Int, options: PipelineOptions = .init()) -> PipelineState {
        var machine = machine(steps: steps, options: options)
        _ = machine.start(moment)
        _ = machine.queuedJobBegan(at: .zero)
        return machine
    }

    @Test("PL-35: the first step goes by way of the executor, the next runs on")
    func order() throws {
        var machine = machine(steps: 2)
        #expect(isEnqueue(machine.start(moment).next))
        #expect(isRun(machine.queuedJobBegan(at: .zero).next, of: 0))
        let first = try #require(machine.current)
        let effects = machine.attemptEnded(
            first, attempt: 1, .succeeded(Content()), at: .zero, place: .free)
        #expect(isRun(effects.next, of: 1))
        #expect(effects.settled?.step === first && first.isFinished)
        let second = try #require(machine.current)
        let last = machine.attemptEnded(second, attempt: 1, .succeeded(Content()), at: .zero, place: .free)
        #expect(isNothing(last.next))
        guard case .succeeded? = outcome(machine) else {
            Issue.record("it should have succeeded")
            return
        }
    }

    @Test("PL-10: an end of another attempt, or of another step, changes nothing")
    func lateEnds() throws {
        var machine = running(steps: 2)
        let step = try #require(machine.current)
        for (other, attempt) in [(step, 2), (step, 0), (machine.steps[1], 1)] as [(any Step, Int)] {
            let effects = machine.attemptEnded(
                other, attempt: attempt, .succeeded(Content()), at: .zero, place: .free)
            #expect(isNothing(effects.next))
            #expect(effects.settled == nil)
            #expect(machine.handedOver == 1)
        }
    }

    @Test("PL-52, 54: a failure that may be repeated waits, then begins the next attempt with the same bag")
    func retries() throws {
        var machine = running(steps: 1)
        let step = try #require(machine.current)
        let effects = machine.attemptEnded(
            step, attempt: 1, failure(.seconds(3)), at: .zero, place: .free)
        #expect(effects.settled == nil)
        #expect(effects.others?.timers.map(\.delay) == [.seconds(3)])
        #expect(effects.others?.timers.map(\.timer) == [.backoff(1)])
        #expect(isEnqueue(machine.backoffIsOver(.backoff(1), at: .seconds(3)).next))
        #expect(isRun(machine.queuedJobBegan(at: .seconds(3)).next, of: 0, attempt: 2))
        // The timer of an earlier wait has nothing to say any more.
        #expect(isNothing(machine.backoffIsOver(.backoff(1), at: .seconds(4)).next))
    }

    @Test("PL-49: a body that runs when the pipeline is cancelled is told, and its end is the pipeline's")
    func cancelling() throws {
        var machine = running(steps: 2)
        let step = try #require(machine.current)
        let effects = machine.cancel(.requested("enough"), moment)
        #expect(effects.others?.cancelled === step)
        #expect(outcome(machine) == nil)
        _ = machine.attemptEnded(step, attempt: 1, .succeeded(Content()), at: .zero, place: .free)
        guard case .cancelled(let reason)? = outcome(machine) else {
            Issue.record("it should have been cancelled")
            return
        }
        #expect(reason == .requested("enough"))
        #expect(machine.content != nil)
    }

    @Test("PL-50: a step that waits for a retry is settled when the pipeline is cancelled")
    func cancelledInBackoff() throws {
        var machine = running(steps: 1)
        let step = try #require(machine.current)
        _ = machine.attemptEnded(step, attempt: 1, failure(.seconds(3)), at: .zero, place: .free)
        let effects = machine.cancel(.requested(), moment)
        #expect(effects.others?.cancelled === step && effects.others?.settledOnceCancelled != nil)
        #expect(effects.settled == nil && !step.isFinished)
        guard case .cancelled? = outcome(machine) else {
            Issue.record("it should have been cancelled")
            return
        }
    }

    @Test("PL-55: the attempt after a time-out waits for the old body, and for no longer than the grace")
    func grace() throws {
        var machine = running(steps: 1, options: .init(grace: .seconds(5)))
        let step = try #require(machine.current)
        let timeout = PipelineError.refused(.timedOut, pipeline: "m")
        let effects = machine.attemptTimedOut(
            .attempt(0, 1), timeout, retryAfter: .seconds(1), at: .seconds(9))
        #expect(effects.others?.stopped?.step === step)
        #expect(effects.others?.timers.map(\.delay) == [.seconds(5)])
        let over = machine.graceIsOver(.grace(1), at: .seconds(14))
        #expect(over.others?.cancelled === step && over.others?.settledOnceCancelled?.error != nil)
        guard case .failed(let error)? = outcome(machine) else {
            Issue.record("it should have failed")
            return
        }
        #expect(error.code == .timedOut)
    }

    @Test("PL-24: a place before a step that has been handed over is refused, and nothing has changed")
    func editing() throws {
        let machine = running(steps: 2)
        #expect(throws: EditRefusal.self) { try machine.index(of: .first) }
        #expect(throws: EditRefusal.self) { try machine.index(of: .before(machine.steps[0])) }
        #expect(try machine.index(of: .after(machine.steps[0])) == 1)
        #expect(try machine.index(of: .last) == 2)
    }
}
