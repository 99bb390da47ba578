import Foundation
public import SteplineEngine
import SteplineSupport
import Synchronization

/// The face that does what the machine has decided.
extension AnyPipeline: EngineFace, WorkerJob, QueuedWork {
    @usableFromInline package var engineClock: EngineClock { options.engineClock }

    /// Begins the attempt that waited for a worker.
    package func run(on worker: Worker) { drive(send { $0.jobBegan(&$1) }, at: .worker(worker)) }

    func runJob(on queue: StepQueue) { drive(send { $0.jobBegan(&$1) }, at: .queue(queue)) }

    func queueWasCancelled() { cancel(.queueCancelled) }

    func othersHaveEnded() { drive(send { $0.othersHaveEnded(at: .callersStack, &$1) }, at: .callersStack) }

    /// The number of bodies that a worker runs for one pipeline while other jobs wait for a thread.
    private static let fairShare = 64

    /// Runs steps on this thread, as long as the next step may run here.
    ///
    /// The loop replaces recursion, so a line of any length needs a constant amount of stack.
    ///
    /// - Parameters:
    ///   - first: The first action, as the machine returned it.
    ///   - place: The thread that this method runs on.
    func drive(_ first: PipelineNext, at place: PipelinePlace = .callersStack) {
        var next = first
        var bodies = 0
        while true {
            switch next {
            case .nothing:
                return
            case .enqueue:
                return Workers.shared.enqueue(self)
            case .enqueueOn(let queue, let ticket):
                Stages.current?.noteForeign("a step of ‘\(name)’ runs in an operation queue")
                return ticket.enqueue(self, on: queue)
            // Dependencies may be overridden by a subclass, so they are read here, without the lock.
            case .awaitOthers(let step, let ticket):
                let others = step.dependencies.filter { !$0.isFinished }
                // Each dependency that finishes after this check is seen by the wait, which is an operation itself.
                if !others.isEmpty { return ticket.wait(for: others, self) }
                // All dependencies have finished: hand the step over without a detour by a queue.
                next = send { $0.othersHaveEnded(at: place, &$1) }
            case .run(let step, let index, let attempt, let bag):
                var placeAfter = place
                if case .worker(let worker) = place {
                    worker.beginBody()
                    bodies += 1
                    // The fair share is used up: `callersStack` makes the machine enqueue the next step.
                    if worker.mayChange(after: bodies, of: Self.fairShare) { placeAfter = .callersStack }
                }
                Stages.current?.note("step ‘\(step.displayName)’ begins")
                // No end yet: the body ends later and calls `bodyEnded` itself.
                guard let end = withValues({ step.runAttempt(attempt, content: bag, for: self, at: index) })
                else { return }
                next = conclude(step, end, attempt: attempt, at: placeAfter, inTask: place.isCooperative)
            }
        }
    }

    /// Calls code with the task-local values of the start.
    @inline(__always)
    private func withValues<Answer>(_ body: () -> Answer) -> Answer {
        PropagatedValues.call(
            with: hasValues.load(ordering: .relaxed) ? engine.read { $0.values } : nil, body)
    }

    private func conclude(
        _ step: StepOperation, _ end: AttemptEnd, attempt: UInt32, at place: PipelinePlace,
        inTask: Bool = false
    ) -> PipelineNext {
        let verdict = withValues { self.verdict(on: step, end, attempt: attempt) }
        Stages.current?.note("step ‘\(step.displayName)’ \(verdict.inLog)")
        while true {
            // The check of the output may run user code, so it happens before the transaction.
            let finding = finding(of: verdict)
            let advance = send(tellsElsewhere: inTask) {
                $0.bodyEnded(step, attempt: attempt, verdict, finding, at: place, &$1)
            }
            // The line changed since the check: check the content again.
            guard let advance else { continue }
            // Notify the step's waiters before the next step begins.
            advance.ended?.tell()
            return advance.next
        }
    }

    /// Checks the content that a step leaves for the pipeline's output, if no step follows.
    private func finding(of verdict: AttemptVerdict) -> OutputFinding {
        guard makesEntry, case .succeeded(let bag) = verdict else { return .anyBag }
        let (version, isAtEnd) = engine.read { ($0.line.version, $0.line.isAtEnd) }
        return OutputFinding(version: version, fault: isAtEnd ? fault(in: bag) : nil)
    }

    /// Returns the meaning of an attempt's end, evaluated without the lock because retry policies are user code.
    private func verdict(on step: StepOperation, _ end: AttemptEnd, attempt: UInt32) -> AttemptVerdict {
        switch end {
        case .succeeded(let bag):
            guard let stage = Stages.current,
                // A simulation injects this failure after the body has succeeded.
                let error = stage.faults.error(afterTask: step.displayName, attempt: Int(attempt))
            else { return .succeeded(bag) }
            return verdict(on: step, .failed(error), attempt: attempt)
        case .cancelled(let bag):
            return .cancelled(bag)
        case .failed(let cause, let left):
            var error = failure(of: step, cause, attempt: attempt)
            // A cancelled step isn't retried, so its retry policy isn't asked.
            let next = step.isCancelled ? .stop(nil) : decision(afterFailed: attempt, of: step, cause)
            error.noRetry = next.reason
            return .failed(error, cause: cause, leaving: left, retryAfter: next.delay)
        }
    }

    private func failure(of step: StepOperation, _ cause: any Error, attempt: UInt32) -> PipelineError {
        let position = engine.read { machine in
            machine.line.isCurrent(step) ? machine.line.currentPosition : nil
        }
        return .stepFailed(cause, pipeline: name, step: step, at: position, attempt: Int(attempt))
    }

    /// Returns whether another attempt follows, and after which back-off.
    private func decision(
        afterFailed attempt: UInt32, of step: StepOperation, _ error: any Error
    ) -> RetryPolicy.Decision {
        let policy = step.optionsBox?.options.retry ?? options.retry
        guard policy.attempts > attempt else { return .stop(nil) }
        guard step.isRepeatable else { return .stop("the step can't be repeated") }
        return policy.decision(afterAttempt: Int(attempt), failedWith: error, now: options.clock.now)
    }

    /// Performs one effect, without any lock held.
    @usableFromInline
    package func perform(_ effect: PipelineEffect) {
        switch effect.kind {
        case .proceed(let next): drive(next)
        case .cancel(let step): step.cancel()
        case .tellEnd(let end): end.tell()
        case .stop(let step, let attempt): withValues { step.stopBody(ofAttempt: attempt) }
        case .void(let ticket): ticket.void()
        case .judgeTimeout(let step, let attempt): withValues { judgeTimeout(step, attempt) }
        case .judgeDeadline: judgeDeadline()
        case .show(let view, let units): view.show(units)
        case .deliver(let delivery, let outcome): deliver(delivery, outcome)
        case .endWasReported: send { $0.endWasReported(&$1) }
        case .log(let event): options.log?.log(event, of: name)
        }
    }

    @usableFromInline
    package func mayBlock(_ news: PipelineEffect) -> Bool {
        switch news.kind {
        case .deliver(let delivery, _): delivery.place == .anywhere
        case .log: true
        default: false
        }
    }

    private func judgeTimeout(_ step: StepOperation, _ attempt: UInt32) {
        let limit = step.optionsBox?.options.timeout ?? .zero
        let cause = PipelineError(.timedOut, "no end within its time-out of \(limit)")
        var error = failure(of: step, cause, attempt: attempt)
        let next = decision(afterFailed: attempt, of: step, error)
        error.noRetry = next.reason
        send { $0.timedOut(step, attempt: attempt, error, retryAfter: next.delay, &$1) }
    }

    private func judgeDeadline() {
        // The step may end before the next transaction. The deadline then still fails the pipeline, naming this step.
        let (step, attempt, last) = engine.read { machine in
            let life = machine.status.life
            return (machine.line.current?.step, life.attemptNumber, life.retry?.error)
        }
        var text = "the pipeline has not ended within its deadline of \(options.deadline ?? .zero)"
        // During a back-off, the failure that would have been retried is the reason.
        if let last { text += "; attempt \(attempt) failed: \(ErrorText.line(last.underlying ?? last))" }
        let error = PipelineError(.timedOut, text)
        let placed = step.map { failure(of: $0, error, attempt: attempt) } ?? error.inPipeline(name)
        send { $0.deadlinePassed(placed, &$1) }
    }

    /// Calls the callbacks of one delivery one after the other.
    private func deliver(_ delivery: Callbacks<PipelineEnd>.Delivery, _ outcome: Outcome<Content>) {
        // Capture `self` strongly: the callbacks are stored in the machine until they are claimed.
        withValues {
            delivery.place.perform { [self] in
                // Claim one at a time: a callback can be removed until the moment before its call.
                while let callback = send({ machine, _ in machine.claim(delivery.number) }) {
                    callback.call(outcome)
                }
            }
        }
    }
}

/// The events that the steps send to their pipeline.
extension AnyPipeline: StepDriver {
    var stepCount: Int { engine.read { $0.line.steps.count } }

    var clock: any StepClock { options.clock }

    func bodyEnded(_ step: StepOperation, _ end: AttemptEnd, attempt: UInt32, inTask: Bool) {
        drive(conclude(step, end, attempt: attempt, at: .foreign, inTask: inTask), at: .foreign)
    }

    func stepWasCancelled(_ step: StepOperation) {
        send { $0.stepWasCancelled(step, &$1) }
    }

    func stepReported(_ step: StepOperation, attempt: UInt32, _ progress: StepProgress) {
        send { $0.stepReported(step, attempt: attempt, progress, &$1) }
    }
}

extension StepOperation {
    /// The pipeline that the step belongs to; nil if that pipeline was freed.
    public final var pipeline: AnyPipeline? { state.withLock { $0.owner } as? AnyPipeline }
}
