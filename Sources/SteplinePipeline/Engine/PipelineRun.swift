import SteplineEngine
import SteplineSupport

/// The progress of the content along the steps: the current step, its attempts, and the effects of ends and timers.
///
/// A part of ``PipelineMachine``. A set `PipelineAdvance.outcome` tells the machine that the pipeline has ended.
/// ``StepLife`` holds the phases of the current attempt.
///
/// Once `cancelReason` is set, the outcome is `.cancelled` with this reason, whatever the body still does:
///
/// | End of the body | Event and error of the step | Decided in |
/// | --- | --- | --- |
/// | a value, after the step was marked | cancelled, no error; the value is left | `StepState.judged` |
/// | a value, before the mark | succeeded; the value is left | `proceed` |
/// | an error | failed with this error; no retry | `bodyEnded` |
/// | `CancellationError` | cancelled, no error | `StepState.judged` |
/// | none within `grace` | cancelled, no error | `timerFired` |
/// | none before the deadline | failed with the deadline's error | `fail` |
struct PipelineRun {
    private let options: PipelineOptions
    private(set) var line = StepLine()
    private(set) var life = StepLife()
    private(set) var cancelReason: CancellationReason?
    private(set) var bag: BagInHand
    private var watchdog: Watchdog
    var progress: ProgressTracker?
    var log: PipelineEventLog

    init(identity: PipelineIdentity, options: PipelineOptions, content: Content) {
        self.options = options
        log = PipelineEventLog(of: identity, log: options.log)
        bag = BagInHand(content)
        watchdog = Watchdog(every: options.watchdog)
    }

    // MARK: Coming along

    mutating func start(
        _ calendar: PipelineCalendar, at place: PipelinePlace, _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        log.setCalendar(calendar)
        log.emit(.started, &turn)
        // Set before the first step: the waits for queues and dependencies count, too.
        if let deadline = options.deadline { turn.set(.deadline, after: deadline) }
        if log.hasReaders { watchdog.wake(&turn) }
        return proceed(at: place, &turn)
    }

    /// Hands over the next step, or ends the pipeline with its success or with `fault`.
    private mutating func proceed(
        at place: PipelinePlace, orEndWith fault: PipelineError? = nil, _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        // The step succeeded although its pipeline was cancelled meanwhile: no further step runs.
        if let cancelReason { return PipelineAdvance(outcome: .cancelled(cancelReason)) }
        guard line.advance(), let step = line.current?.step else {
            return PipelineAdvance(outcome: fault.map { .failure($0) } ?? .success(bag.current))
        }
        life.renew()
        guard step.hasDependencies, !step.isMarkedCancelled else {
            return PipelineAdvance(next: handOver(at: place, &turn))
        }
        let ticket = QueueTicket()
        life.wait(forOthers: ticket, since: turn.now)
        return PipelineAdvance(next: .awaitOthers(step, ticket))
    }

    /// Begins the queued attempt on this thread if the step may run here, otherwise through a queue.
    private mutating func handOver(
        at place: PipelinePlace, _ turn: inout PipelineTurn
    ) -> PipelineNext {
        guard let step = line.current?.step else { return .nothing }
        let (options, isCancelled) = step.runOptions
        // A cancelled step has no body to run, so it doesn't wait for a queue.
        let queue = isCancelled ? nil : options?.options.queue
        let ticket = queue.map { _ in QueueTicket() }
        // Recorded before the job is enqueued: the queue may run the job at once, on another thread.
        life.wait(inQueue: ticket, since: turn.now)
        if place.suits(step, on: queue) { return begin(options, &turn) }
        if let queue, let ticket { return .enqueueOn(queue, ticket) }
        return .enqueue
    }

    /// Begins the attempt whose job a queue or a worker runs.
    mutating func jobBegan(_ turn: inout PipelineTurn) -> PipelineNext {
        begin(line.current?.step.optionsBox, &turn)
    }

    /// Hands the step over after its dependencies have finished.
    mutating func othersHaveEnded(
        at place: PipelinePlace, _ turn: inout PipelineTurn
    ) -> PipelineNext {
        life.waitsForOthers ? handOver(at: place, &turn) : .nothing
    }

    private mutating func begin(
        _ options: StepOptionsBox?, _ turn: inout PipelineTurn
    ) -> PipelineNext {
        guard let (step, index) = line.current, let number = life.begin(at: turn.now) else { return .nothing }
        log.emit(.stepStarted(line.position(of: index), attempt: Int(number)), &turn)
        if let timeout = options?.options.timeout { turn.set(.timeout, after: timeout) }
        return .run(step, index: index, attempt: number, bag.current)
    }

    // MARK: Ends of bodies

    /// Ends the body of a step's attempt.
    mutating func bodyEnded(
        _ step: StepOperation, attempt number: UInt32, _ verdict: AttemptVerdict, _ finding: OutputFinding,
        at place: PipelinePlace, _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        // A step that isn't current has been settled: its late body changes nothing.
        guard line.isCurrent(step) else { return PipelineAdvance() }
        guard life.isRunning(number) else {
            // The timed-out body has ended at last, so the back-off of the next attempt can begin.
            if life.stoppedBodyEnded(number, at: turn.now) {
                turn.withdraw(.grace)
                backOff(&turn)
            }
            return PipelineAdvance()
        }
        // The time-out may be under judgement already: `timedOut` then finds that the attempt has ended.
        turn.withdraw(.timeout)
        turn.withdraw(.grace)
        switch verdict {
        case .succeeded(let result):
            life.end(number, isSuccess: true)
            var advance = settle(step, leaving: result, error: nil, .succeeded, &turn)
            // After `settle`: the next step starts from the content that this step left.
            let further = proceed(at: place, orEndWith: finding.fault, &turn)
            (advance.next, advance.outcome) = (further.next, further.outcome)
            return advance
        case .cancelled(let result):
            life.end(number, isSuccess: false)
            var advance = settle(step, leaving: result ?? bag.current, error: nil, .cancelled, &turn)
            advance.outcome = .cancelled(cancelReason ?? .step(line.currentPosition))
            return advance
        case .failed(let error, _, _, let wait?) where cancelReason == nil && !step.isMarkedCancelled:
            life.retry(number, after: wait, error, at: turn.now)
            backOff(&turn)
            return PipelineAdvance()
        case .failed(let error, let cause, let left, _):
            life.end(number, isSuccess: false)
            let text = error.eventText(of: cause)
            var advance = settle(step, leaving: left ?? bag.current, error: cause, .failed(text), &turn)
            advance.outcome = cancelReason.map { .cancelled($0) } ?? .failure(error)
            return advance
        }
    }

    /// Ends the current step, before its end is visible through the pipeline.
    private mutating func settle(
        _ step: StepOperation, leaving content: Content, error: (any Error)?,
        _ outcome: @autoclosure () -> PipelineEvent.StepOutcome, cancelling: Bool = false,
        _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        // The step first: an observer of the pipeline must find the step finished.
        let end = step.settle(content: content, error: error, cancelling: cancelling)
        let oldBag = bag.leave(content)
        progress?.stepEnded(step, along: line, &turn)
        let duration = turn.now - life.since
        log.emit(
            .stepEnded(
                line.position(of: line.dispatched - 1), attempt: Int(life.attemptNumber), outcome(),
                duration: duration
            ), &turn
        )
        return PipelineAdvance(ended: end, oldBag: oldBag)
    }

    /// Starts the back-off before the next attempt.
    private mutating func backOff(_ turn: inout PipelineTurn) {
        guard let retry = life.retry, let position = line.currentPosition else { return }
        log.emit(
            .retrying(
                position, failedAttempt: Int(life.attemptNumber), error: retry.error.description,
                wait: retry.wait
            ), &turn
        )
        turn.set(.backOff, after: retry.wait)
    }

    // MARK: Timers

    mutating func timerFired(
        _ timer: AttemptTimer, _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        guard let step = line.current?.step else { return PipelineAdvance() }
        switch timer {
        case .timeout: turn.order(.judgeTimeout(step, attempt: life.attemptNumber))
        case .deadline: turn.order(.judgeDeadline)
        case .grace:
            // The grace period of a cancelled body has elapsed: give the body up. Its later end changes nothing.
            if life.isInBody { return endCancelled(cancelReason ?? .step(line.currentPosition), &turn) }
            // The timed-out body still runs. Two bodies of one step must not run concurrently, so the step fails, also
            // if the retry policy allows another attempt.
            if let error = life.retry?.error { return fail(error, &turn) }
        case .backOff:
            // Release the error after unlock: it may own user objects.
            turn.releaseAfterUnlock(life.retry?.error)
            if life.backOffPassed() { return PipelineAdvance(next: handOver(at: .callersStack, &turn)) }
        // Only workflows have delays.
        case .delay: break
        case .watchdog:
            guard let position = line.currentPosition,
                // Nil if the wait is shorter than the interval; `look` has set the next timer.
                let waited = watchdog.look(since: life.since, &turn)
            else { break }
            log.emit(.stalled(position, attempt: Int(life.attemptNumber), waiting: waited), &turn)
        }
        return PipelineAdvance()
    }

    /// Ends a timed-out attempt; the caller has asked the retry policy.
    mutating func timedOut(
        _ step: StepOperation, attempt number: UInt32, _ error: PipelineError, retryAfter wait: Duration?,
        _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        guard line.isCurrent(step), life.isRunning(number) else { return PipelineAdvance() }
        guard let wait, cancelReason == nil, !step.isMarkedCancelled else { return fail(error, &turn) }
        life.stopAndRetry(number, after: wait, error, at: turn.now)
        // The next attempt waits for the old body, at most for the grace period.
        boundStop(&turn)
        turn.order(.stop(step, attempt: number))
        return PipelineAdvance()
    }

    /// Fails the current step by a decision of the pipeline, and stops its activity.
    ///
    /// The pipeline fails too, but a pipeline that is being cancelled ends as cancelled.
    mutating func fail(_ error: PipelineError, _ turn: inout PipelineTurn) -> PipelineAdvance {
        var advance = callOff(error: error, .failed(error.description), &turn)
        advance.outcome = cancelReason.map { .cancelled($0) } ?? .failure(error)
        return advance
    }

    /// Ends the current step without waiting for its body; `finish` settles a step that never began.
    private mutating func callOff(
        error: (any Error)?, _ outcome: @autoclosure () -> PipelineEvent.StepOutcome,
        _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        turn.releaseAfterUnlock(life.retry?.error)
        // The job may wait in a suspended queue: it must not retain the pipeline.
        if let ticket = life.callOff() { turn.order(.void(ticket)) }
        guard life.hasBegun, let step = line.current?.step else { return PipelineAdvance() }
        return settle(step, leaving: bag.current, error: error, outcome(), cancelling: true, &turn)
    }

    /// Adds a reader of the events.
    mutating func add(
        _ stream: EventStream<PipelineEvent>, isRunning: Bool, _ turn: inout PipelineTurn
    ) {
        log.add(stream)
        if isRunning { watchdog.wake(&turn) }
    }

    // MARK: Cancelling and ending

    mutating func setCalendar(_ calendar: PipelineCalendar) { log.setCalendar(calendar) }

    /// Cancels the pipeline: ends it at once, unless a body runs and has to be stopped first.
    mutating func cancel(
        _ reason: CancellationReason, _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        guard life.isInBody, let step = line.current?.step else { return endCancelled(reason, &turn) }
        cancelReason = reason
        log.emit(.cancelling(reason), &turn)
        turn.order(.cancel(step))
        boundStop(&turn)
        return PipelineAdvance()
    }

    private mutating func endCancelled(
        _ reason: CancellationReason, _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        var advance = callOff(error: nil, .cancelled, &turn)
        advance.outcome = .cancelled(reason)
        return advance
    }

    /// Limits the wait for the end of a stopped body to the grace period.
    private func boundStop(_ turn: inout PipelineTurn) {
        if !turn.isSet(.grace) { turn.set(.grace, after: options.grace) }
    }

    /// Handles a step that was cancelled by its own `cancel()`; a running body gets the grace period to end.
    mutating func stepWasCancelled(
        _ step: StepOperation, _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        // An earlier step has ended. A later one is found to be cancelled when it is handed over.
        guard line.isCurrent(step) else { return PipelineAdvance() }
        guard !life.isInBody else {
            boundStop(&turn)
            return PipelineAdvance()
        }
        return cancel(.step(line.currentPosition), &turn)
    }

    /// Ends the pipeline and all steps that never began.
    mutating func finish(_ outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        // `callOff` settles only a step that has begun: include a current step that is still waiting to begin.
        for step in line.remaining(includingCurrent: !life.hasBegun) {
            turn.order(.tellEnd(step.settle(content: nil, error: nil, cancelling: true)))
        }
        if outcome.isSuccess { progress?.succeeded(&turn) }
        log.emit(.ended(.init(outcome)), &turn)
        log.finish(&turn)
        turn.withdrawAllTimers()
    }

    // MARK: Editing

    /// Changes the line of steps.
    mutating func edit<Result, Refusal>(
        _ change: (inout StepLine) throws(Refusal) -> Result
    ) throws(Refusal) -> Result { try change(&line) }

    /// Replaces the first step's content.
    mutating func replaceFirstBag(_ content: Content, _ turn: inout PipelineTurn) {
        turn.releaseAfterUnlock(bag.replaceFirst(by: content))
        // A start whose check read the old content finds another version, and checks again.
        line.touch()
    }
}
