public import SteplineEngine
import SteplineSupport

/// What one pipeline decides: when its steps begin, how it ends, and who hears of that.
///
/// It runs nothing and calls nobody. Each event is one method; what is to be done goes to the turn, or is returned as
/// where the thread goes on. Steps and tickets are told of their states under the lock, by methods that only note them.
@usableFromInline
package struct PipelineMachine: Machine {
    @usableFromInline package typealias Effect = PipelineEffect
    @usableFromInline package typealias Timer = AttemptTimer

    private enum Phase {
        case ready
        case running
        case ended(Outcome<Content>, at: Instant)
    }

    private var phase = Phase.ready
    private var run: PipelineRun
    private var listeners = PipelineListeners()

    init(identity: PipelineIdentity, options: PipelineOptions, content: Content) {
        run = PipelineRun(identity: identity, options: options, content: content)
    }

    // MARK: Asking

    /// The steps, and how far along them it has come.
    var line: StepLine { run.line }
    var content: Content? { run.bag.left }
    var firstBag: Content { run.bag.first }

    var state: PipelineState {
        switch phase {
        case .ready: .ready
        case .running: run.cancelReason == nil ? .running : .cancelling
        case .ended(let outcome, _): .ended(outcome)
        }
    }

    /// How it ended; nil before that.
    var outcome: Outcome<Content>? { if case .ended(let outcome, _) = phase { outcome } else { nil } }

    var isRunning: Bool { if case .running = phase { true } else { false } }

    /// What the pipeline waits for.
    var standing: PipelineStanding {
        PipelineStanding(state: state, line: run.line, life: run.life, cancelReason: run.cancelReason)
    }

    // MARK: Running

    /// The pipeline has been checked and is to run; nil if it can't, or the line is another by now.
    mutating func start(
        version: UInt32, _ calendar: PipelineCalendar, _ turn: inout PipelineTurn
    ) -> PipelineNext? {
        guard case .ready = phase, run.line.version == version else { return nil }
        phase = .running
        return conclude(run.start(calendar, &turn), &turn).next
    }

    /// The job that was handed to a queue has begun.
    mutating func jobBegan(_ turn: inout PipelineTurn) -> PipelineNext {
        isRunning ? run.jobBegan(&turn) : .nothing
    }

    /// The operations that the current step depends on have all finished.
    mutating func othersHaveEnded(at place: PipelinePlace, _ turn: inout PipelineTurn) -> PipelineNext {
        isRunning ? run.othersHaveEnded(at: place, &turn) : .nothing
    }

    /// The body of a step's attempt is over; nil, and nothing has changed, if the finding is of another line.
    mutating func bodyEnded(
        _ step: StepOperation, attempt: UInt32, _ verdict: AttemptVerdict, _ finding: OutputFinding,
        at place: PipelinePlace, _ turn: inout PipelineTurn
    ) -> PipelineAdvance? {
        guard isRunning else { return PipelineAdvance() }
        if run.line.isAtEnd, let version = finding.version, version != run.line.version { return nil }
        return conclude(run.bodyEnded(step, attempt: attempt, verdict, finding, at: place, &turn), &turn)
    }

    @usableFromInline
    package mutating func timerFired(_ timer: AttemptTimer, _ turn: inout PipelineTurn) {
        guard isRunning else { return }
        carryOn(run.timerFired(timer, &turn), &turn)
    }

    /// The time of an attempt is over; whether another follows was asked before.
    mutating func timedOut(
        _ step: StepOperation, attempt: UInt32, _ error: PipelineError, retryAfter wait: Duration?,
        _ turn: inout PipelineTurn
    ) {
        guard isRunning else { return }
        carryOn(run.timedOut(step, attempt: attempt, error, retryAfter: wait, &turn), &turn)
    }

    /// The time of the whole run is over.
    mutating func deadlinePassed(_ error: PipelineError, _ turn: inout PipelineTurn) {
        guard isRunning else { return }
        carryOn(run.fail(error, &turn), &turn)
    }

    // MARK: Cancelling

    /// Somebody wants the pipeline to stop; whether that came before its end, and before others who wanted it.
    mutating func cancel(
        _ reason: CancellationReason, _ calendar: PipelineCalendar, _ turn: inout PipelineTurn
    ) -> Bool {
        switch phase {
        case .ended:
            listeners.dropResultsDueHere(&turn)
            return false
        case .running where run.cancelReason != nil:
            return false
        case .ready, .running:
            run.setCalendar(calendar)
            listeners.dropResults(&turn)
            carryOn(run.cancel(reason, &turn), &turn)
            return true
        }
    }

    /// The same, unless it was started.
    mutating func cancelUnlessStarted(
        _ reason: CancellationReason, _ calendar: PipelineCalendar, _ turn: inout PipelineTurn
    ) {
        if case .ready = phase { _ = cancel(reason, calendar, &turn) }
    }

    /// A step was cancelled by itself.
    mutating func stepWasCancelled(_ step: StepOperation, _ turn: inout PipelineTurn) {
        guard isRunning else { return }
        carryOn(run.stepWasCancelled(step, &turn), &turn)
    }

    // MARK: Ending

    /// Does what follows from an advance of which no thread waits to hear.
    private mutating func carryOn(_ advance: PipelineAdvance, _ turn: inout PipelineTurn) {
        // A step that ends without its body is the last: what it leaves is seen to there.
        let next = conclude(advance, &turn).next
        if case .nothing = next { return }
        turn.order(.goOn(next))
    }

    /// Ends the pipeline, if that is what it has come to: from here on its state is what it will be for ever.
    private mutating func conclude(_ advance: PipelineAdvance, _ turn: inout PipelineTurn) -> PipelineAdvance
    {
        guard let outcome = advance.outcome else { return advance }
        if let ended = advance.ended { turn.order(.tellEnd(ended)) }
        turn.letGo(of: advance.oldBag)
        phase = .ended(outcome, at: turn.now)
        run.finish(outcome, &turn)
        listeners.end(with: outcome, &turn)
        return PipelineAdvance()
    }

    /// All have been told of the end who could be told without a queue of their own.
    mutating func endIsTold(_ turn: inout PipelineTurn) {
        if let outcome { listeners.endIsTold(outcome, &turn) }
    }

    // MARK: Listening

    /// Registers a callback; if the pipeline has ended, it is due at once, or never.
    mutating func add(
        _ registration: Callbacks<PipelineEnd>.Registration, _ turn: inout PipelineTurn
    ) -> UInt64 {
        if run.cancelReason != nil, isRunning, registration.kind != .end {
            turn.letGo(of: registration)
            return 0
        }
        let number = listeners.add(registration)
        if let outcome { listeners.tellLate(of: outcome, &turn) }
        return number
    }

    /// All registered callbacks, in order.
    var registered: [Callbacks<PipelineEnd>.Registration] { listeners.registered }

    /// Takes callbacks away, due ones too; if the last one for success went so, nobody wants the result.
    mutating func remove(
        _ calendar: PipelineCalendar, _ turn: inout PipelineTurn,
        where isMeant: (Callbacks<PipelineEnd>.Registration) -> Bool
    ) {
        if listeners.remove(&turn, where: isMeant) { _ = cancel(.unwanted, calendar, &turn) }
    }

    /// Claims the next callback of a delivery: from here on it counts as begun.
    mutating func claim(_ delivery: UInt64) -> Callbacks<PipelineEnd>.Registration? {
        listeners.claim(delivery)
    }

    /// Lets a task wait for the end.
    mutating func add(_ waiter: OutcomeWaiter, _ turn: inout PipelineTurn) {
        listeners.add(waiter, outcome: outcome, &turn)
    }

    /// A call of `run()` waits for the end, which keeps the pipeline wanted.
    mutating func runnerCame() { listeners.runnerCame() }

    mutating func runnerLeft() { listeners.runnerLeft() }

    /// Adds a reader of the events; after the end there is but one for it.
    mutating func add(_ stream: EventStream<PipelineEvent>, _ turn: inout PipelineTurn) {
        guard case .ended(let outcome, let time) = phase else {
            return run.add(stream, isRunning: isRunning, &turn)
        }
        // Nobody else knows this stream yet, so there is nobody to wake.
        _ = stream.append(run.log.lastEvent(.ended(.init(outcome)), at: time), isReplaceable: false)
        _ = stream.finish()
    }

    // MARK: Editing and progress

    /// Changes the line of steps; throws if the pipeline hands no more steps over.
    mutating func edit<Result>(
        _ change: (inout StepLine, _ isRunning: Bool) throws(EditRefusal) -> Result
    ) throws(EditRefusal) -> Result {
        if outcome != nil || run.cancelReason != nil { throw EditRefusal(code: .ended) }
        let isRunning = isRunning
        return try run.edit { line throws(EditRefusal) in try change(&line, isRunning) }
    }

    /// Notes a step that a builder could not add.
    mutating func refuse(_ issue: CheckIssue) { run.edit { $0.refuse(issue) } }

    /// Gives the first step something else, unless the pipeline was started.
    mutating func replaceFirstBag(_ content: Content, _ turn: inout PipelineTurn) {
        if case .ready = phase { run.replaceFirstBag(content, &turn) }
    }

    /// A body has told of its progress.
    mutating func stepReported(
        _ step: StepOperation, attempt: UInt32, _ progress: StepProgress, _ turn: inout PipelineTurn
    ) {
        if isRunning { run.stepReported(step, attempt: attempt, progress, &turn) }
    }

    var progressView: PipelineProgress? { run.progress?.view }
    var progressUnits: Int64? { run.progress?.units }

    /// Begins to follow the progress; who came first is who shows it.
    mutating func beginTracking(
        shownBy view: PipelineProgress, _ turn: inout PipelineTurn
    ) -> PipelineProgress {
        run.beginTracking(
            shownBy: view, hasSucceeded: outcome?.isSuccess == true, isInStep: isRunning, &turn
        )
    }
}
