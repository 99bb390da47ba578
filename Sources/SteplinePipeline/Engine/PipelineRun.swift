import SteplineEngine
import SteplineSupport

/// The way of the bag along the steps: which one is at hand, and what its ends and timers lead to.
///
/// A part of the machine; it says by `PipelineAdvance.outcome` that all is over.
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
        log = PipelineEventLog(of: identity)
        bag = BagInHand(content)
        watchdog = Watchdog(every: options.watchdog)
    }

    // MARK: Coming along

    mutating func start(_ calendar: PipelineCalendar, _ turn: inout PipelineTurn) -> PipelineAdvance {
        log.setCalendar(calendar)
        log.emit(.started, &turn)
        if let deadline = options.deadline { turn.set(.deadline, after: deadline) }
        if log.hasReaders { watchdog.wake(&turn) }
        return goOn(at: .callersStack, &turn)
    }

    /// Goes on to the next step, or is over: with the fault, if there is one in what the last step has left.
    private mutating func goOn(
        at place: PipelinePlace, orEndWith fault: PipelineError? = nil, _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
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

    /// The queued attempt begins: here if it may run here, else by way of a queue.
    private mutating func handOver(
        at place: PipelinePlace, _ turn: inout PipelineTurn
    ) -> PipelineNext {
        guard let step = line.current?.step else { return .nothing }
        let (options, isCancelled) = step.runOptions
        // A step that was cancelled has no body to run, and so no queue to wait for.
        let queue = isCancelled ? nil : options?.options.queue
        let ticket = queue.map { _ in QueueTicket() }
        life.wait(inQueue: ticket, since: turn.now)
        if place.suits(step, on: queue) { return begin(options, &turn) }
        if let queue, let ticket { return .enqueueOn(queue, ticket) }
        return .enqueue
    }

    /// The job that was handed to a queue has begun.
    mutating func jobBegan(_ turn: inout PipelineTurn) -> PipelineNext {
        begin(line.current?.step.optionsBox, &turn)
    }

    /// The operations that a step depends on have all finished.
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

    /// The body of a step's attempt is over.
    mutating func bodyEnded(
        _ step: StepOperation, attempt number: UInt32, _ verdict: AttemptVerdict, _ finding: OutputFinding,
        at place: PipelinePlace, _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        guard line.isCurrent(step) else { return PipelineAdvance() }
        guard life.isRunning(number) else {
            if life.stoppedBodyEnded(number, at: turn.now) {
                turn.withdraw(.grace)
                backOff(&turn)
            }
            return PipelineAdvance()
        }
        turn.withdraw(.timeout)
        turn.withdraw(.grace)
        switch verdict {
        case .succeeded(let result):
            life.end(number, isSuccess: true)
            var advance = settle(step, leaving: result, error: nil, .succeeded, &turn)
            let further = goOn(at: place, orEndWith: finding.fault, &turn)
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

    /// The current step has its end, which shows before anybody can learn of it from the pipeline.
    private mutating func settle(
        _ step: StepOperation, leaving content: Content, error: (any Error)?,
        _ outcome: @autoclosure () -> PipelineEvent.StepOutcome, cancelling: Bool = false,
        _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        let end = step.settle(content: content, error: error, cancelling: cancelling)
        let oldBag = bag.leave(content)
        progress?.stepEnded(step, along: line, &turn)
        let duration = turn.now - life.since
        log.emit(
            .stepEnded(
                line.position(of: line.handedOver - 1), attempt: Int(life.attemptNumber), outcome(),
                duration: duration
            ), &turn
        )
        return PipelineAdvance(ended: end, oldBag: oldBag)
    }

    /// The wait before the next attempt begins.
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
            // A cancelled body is given up: a later end of it changes nothing.
            if life.isInBody { return endCancelled(cancelReason ?? .step(line.currentPosition), &turn) }
            // A timed-out body still runs, and two bodies of one step must not run at once.
            if let error = life.retry?.error { return fail(error, &turn) }
        case .backOff:
            turn.letGo(of: life.retry?.error)
            if life.backOffPassed() { return PipelineAdvance(next: handOver(at: .callersStack, &turn)) }
        case .watchdog:
            guard let position = line.currentPosition,
                let waited = watchdog.look(since: life.since, &turn)
            else { break }
            log.emit(.stalled(position, attempt: Int(life.attemptNumber), waiting: waited), &turn)
        }
        return PipelineAdvance()
    }

    /// The time of an attempt is over; whether another follows was asked before.
    mutating func timedOut(
        _ step: StepOperation, attempt number: UInt32, _ error: PipelineError, retryAfter wait: Duration?,
        _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        guard line.isCurrent(step), life.isRunning(number) else { return PipelineAdvance() }
        guard let wait, cancelReason == nil, !step.isMarkedCancelled else { return fail(error, &turn) }
        life.stopAndRetry(number, after: wait, error, at: turn.now)
        boundStop(&turn)
        turn.order(.stop(step, attempt: number))
        return PipelineAdvance()
    }

    /// The current step fails by decision of the pipeline: what it does or waits for is called off.
    mutating func fail(_ error: PipelineError, _ turn: inout PipelineTurn) -> PipelineAdvance {
        var advance = callOff(error: error, .failed(error.description), &turn)
        advance.outcome = cancelReason.map { .cancelled($0) } ?? .failure(error)
        return advance
    }

    /// Ends the current step without its body, or without waiting for it; one that never began isn't settled here.
    private mutating func callOff(
        error: (any Error)?, _ outcome: @autoclosure () -> PipelineEvent.StepOutcome,
        _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        turn.letGo(of: life.retry?.error)
        if let ticket = life.callOff() { turn.order(.void(ticket)) }
        guard life.hasBegun, let step = line.current?.step else { return PipelineAdvance() }
        return settle(step, leaving: bag.current, error: error, outcome(), cancelling: true, &turn)
    }

    /// Somebody reads the events from here on.
    mutating func add(
        _ stream: EventStream<PipelineEvent>, isRunning: Bool, _ turn: inout PipelineTurn
    ) {
        log.add(stream)
        if isRunning { watchdog.wake(&turn) }
    }

    // MARK: Cancelling and ending

    mutating func setCalendar(_ calendar: PipelineCalendar) { log.setCalendar(calendar) }

    /// Somebody wants it to stop: it is over at once unless a body runs, which is told.
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

    /// Waits for the end of a body that is told to stop, at most for the grace.
    private func boundStop(_ turn: inout PipelineTurn) {
        if !turn.isSet(.grace) { turn.set(.grace, after: options.grace) }
    }

    /// A step was cancelled by itself: if its body runs, the pipeline waits for its end, at most for the grace.
    mutating func stepWasCancelled(
        _ step: StepOperation, _ turn: inout PipelineTurn
    ) -> PipelineAdvance {
        guard line.isCurrent(step) else { return PipelineAdvance() }
        guard !life.isInBody else {
            boundStop(&turn)
            return PipelineAdvance()
        }
        return cancel(.step(line.currentPosition), &turn)
    }

    /// All is over: what never began ends with it.
    mutating func finish(_ outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
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

    /// Gives the first step something else.
    mutating func replaceFirstBag(_ content: Content, _ turn: inout PipelineTurn) {
        turn.letGo(of: bag.replaceFirst(by: content))
        line.touch()
    }
}
