public import SteplineEngine
import SteplineSupport

/// The decisions of one pipeline: when its steps begin, how it ends, and which listeners are notified.
///
/// The machine owns the steps (``PipelineRun/line``), the current attempt (``PipelineRun/life``), the content, the
/// listeners and the event log. Each method handles one event, under the engine's lock.
///
/// | State | Meaning | Left by |
/// | --- | --- | --- |
/// | ready | not started; steps and content can change | `start`, `cancel` |
/// | running | steps run one after the other | the last step, a failure, `cancel` |
/// | cancelling | running, with a `cancelReason`, until a body ends | the end of the body, the grace timer |
/// | ended | final, with an outcome | |
///
/// Events come from any thread: callers (`start`, `cancel`), workers and queues (`jobBegan`, `bodyEnded`), and the
/// clock's thread (`timerFired`).
///
/// The machine runs no body. It records effects in the transaction, or returns the sending thread's next action as
/// ``PipelineNext``. Steps and queue tickets learn their states under the lock, through methods that call no user code.
///
/// Invariants: while the pipeline runs, at most one body is live. The state of an ended pipeline never changes. Each
/// event is constant time, except cancelling and ending, which are linear in the remaining steps.
///
/// Begin with `start` and `bodyEnded`, then read ``PipelineRun``.
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
    /// The task-local values of the code that has started the pipeline.
    private(set) var values: PropagatedValues?
    private var run: PipelineRun
    private var listeners = PipelineListeners()

    init(identity: PipelineIdentity, options: PipelineOptions, content: Content) {
        run = PipelineRun(identity: identity, options: options, content: content)
    }

    // MARK: Asking

    /// The steps and the position in them.
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

    /// The outcome; nil before the end.
    var outcome: Outcome<Content>? { if case .ended(let outcome, _) = phase { outcome } else { nil } }

    var isRunning: Bool { if case .running = phase { true } else { false } }

    /// The state that ``AnyPipeline/explain()`` describes.
    var status: PipelineStatus {
        PipelineStatus(state: state, line: run.line, life: run.life, cancelReason: run.cancelReason)
    }

    // MARK: Running

    /// Starts a checked pipeline; returns nil if it isn't ready, or if the line changed since the check.
    mutating func start(
        version: UInt32, _ calendar: PipelineCalendar, values: PropagatedValues? = nil,
        at place: PipelinePlace = .callersStack,
        _ turn: inout PipelineTurn
    ) -> PipelineNext? {
        // Two concurrent starts: the second one finds the phase `running` and throws `alreadyStarted`.
        guard case .ready = phase, run.line.version == version else { return nil }
        phase = .running
        self.values = values
        return conclude(run.start(calendar, at: place, &turn), &turn).next
    }

    /// Begins the attempt whose job a queue or a worker runs.
    mutating func jobBegan(_ turn: inout PipelineTurn) -> PipelineNext {
        // The pipeline may have been cancelled while the job waited: the job then begins nothing.
        isRunning ? run.jobBegan(&turn) : .nothing
    }

    /// Resumes after all dependencies of the current step have finished.
    mutating func othersHaveEnded(at place: PipelinePlace, _ turn: inout PipelineTurn) -> PipelineNext {
        isRunning ? run.othersHaveEnded(at: place, &turn) : .nothing
    }

    /// Ends the body of an attempt; returns nil, without any change, if the finding belongs to another version of the
    /// line.
    mutating func bodyEnded(
        _ step: StepOperation, attempt: UInt32, _ verdict: AttemptVerdict, _ finding: OutputFinding,
        at place: PipelinePlace, _ turn: inout PipelineTurn
    ) -> PipelineAdvance? {
        // A given-up body ended after its pipeline: nothing is left to decide.
        guard isRunning else { return PipelineAdvance() }
        // The line changed during the check, and this step is the last one now: check its content again.
        if run.line.isAtEnd, let version = finding.version, version != run.line.version { return nil }
        return conclude(run.bodyEnded(step, attempt: attempt, verdict, finding, at: place, &turn), &turn)
    }

    @usableFromInline
    package mutating func timerFired(_ timer: AttemptTimer, _ turn: inout PipelineTurn) {
        guard isRunning else { return }
        carryOn(run.timerFired(timer, &turn), &turn)
    }

    /// Ends a timed-out attempt; the caller has asked the retry policy.
    mutating func timedOut(
        _ step: StepOperation, attempt: UInt32, _ error: PipelineError, retryAfter wait: Duration?,
        _ turn: inout PipelineTurn
    ) {
        // The retry policy was asked without the lock: the pipeline may have ended meanwhile.
        guard isRunning else { return }
        carryOn(run.timedOut(step, attempt: attempt, error, retryAfter: wait, &turn), &turn)
    }

    /// Ends the pipeline, because the whole run exceeded its deadline: failed, or cancelled if it is being cancelled.
    mutating func deadlinePassed(_ error: PipelineError, _ turn: inout PipelineTurn) {
        guard isRunning else { return }
        carryOn(run.fail(error, &turn), &turn)
    }

    // MARK: Cancelling

    /// Cancels the pipeline; returns false if it has ended or is already being cancelled.
    mutating func cancel(
        _ reason: CancellationReason, _ calendar: PipelineCalendar, _ turn: inout PipelineTurn
    ) -> Bool {
        switch phase {
        case .ended:
            // The outcome stands. On this thread's queue no callback may begin after `cancel` has returned.
            listeners.dropResultsDueHere(&turn)
            return false
        // The first reason stands.
        case .running where run.cancelReason != nil:
            return false
        case .ready, .running:
            // Cancelling an unstarted pipeline logs an event, so a date is needed.
            run.setCalendar(calendar)
            listeners.dropResults(&turn)
            carryOn(run.cancel(reason, &turn), &turn)
            return true
        }
    }

    /// Cancels the pipeline unless it was started.
    mutating func cancelUnlessStarted(
        _ reason: CancellationReason, _ calendar: PipelineCalendar, _ turn: inout PipelineTurn
    ) {
        if case .ready = phase { _ = cancel(reason, calendar, &turn) }
    }

    /// Handles a step that was cancelled by its own `cancel()`.
    mutating func stepWasCancelled(_ step: StepOperation, _ turn: inout PipelineTurn) {
        guard isRunning else { return }
        carryOn(run.stepWasCancelled(step, &turn), &turn)
    }

    // MARK: Ending

    /// Performs an advance on behalf of an event whose thread takes no next action itself.
    private mutating func carryOn(_ advance: PipelineAdvance, _ turn: inout PipelineTurn) {
        // A step that ends without its body ends the pipeline too, so `conclude` handles the content that it leaves.
        let next = conclude(advance, &turn).next
        if case .nothing = next { return }
        turn.order(.proceed(next))
    }

    /// Ends the pipeline if the advance has an outcome; the state is final from here on.
    private mutating func conclude(_ advance: PipelineAdvance, _ turn: inout PipelineTurn) -> PipelineAdvance
    {
        guard let outcome = advance.outcome else { return advance }
        // The step's end is reported before the pipeline's end.
        if let ended = advance.ended { turn.order(.tellEnd(ended)) }
        turn.releaseAfterUnlock(advance.oldBag)
        phase = .ended(outcome, at: turn.now)
        run.finish(outcome, &turn)
        listeners.end(with: outcome, &turn)
        // Callbacks that are still due need them; `endWasReported` releases them then.
        if !listeners.isNotifying { releaseValues(&turn) }
        return PipelineAdvance()
    }

    /// Resumes the waiters after the callbacks without a queue have returned.
    mutating func endWasReported(_ turn: inout PipelineTurn) {
        if let outcome { listeners.endWasReported(outcome, &turn) }
        releaseValues(&turn)
    }

    /// Releases the task-local values of the start, which may refer to the pipeline.
    private mutating func releaseValues(_ turn: inout PipelineTurn) {
        guard let values else { return }
        turn.releaseAfterUnlock(values)
        self.values = nil
    }

    // MARK: Listening

    /// Registers a callback; after the end, a matching callback is due at once.
    mutating func add(
        _ registration: Callbacks<PipelineEnd>.Registration, _ turn: inout PipelineTurn
    ) -> UInt64 {
        // A cancelling pipeline never calls success and failure callbacks: release this one after unlock.
        if run.cancelReason != nil, isRunning, registration.kind != .end {
            turn.releaseAfterUnlock(registration)
            return 0
        }
        let number = listeners.add(registration)
        if let outcome { listeners.tellLate(of: outcome, &turn) }
        return number
    }

    /// All registered callbacks, in order.
    var registered: [Callbacks<PipelineEnd>.Registration] { listeners.registered }

    /// Removes callbacks, and cancels the pipeline if the last listener for the result was removed.
    mutating func remove(
        _ calendar: PipelineCalendar, _ turn: inout PipelineTurn,
        where isMeant: (Callbacks<PipelineEnd>.Registration) -> Bool
    ) {
        if listeners.remove(&turn, where: isMeant) { _ = cancel(.unwanted, calendar, &turn) }
    }

    /// Claims the next callback of a delivery, after which the callback can't be removed.
    mutating func claim(_ delivery: UInt64) -> Callbacks<PipelineEnd>.Registration? {
        listeners.claim(delivery)
    }

    /// Adds a task that waits for the end.
    mutating func add(_ waiter: OutcomeWaiter, _ turn: inout PipelineTurn) {
        listeners.add(waiter, outcome: outcome, &turn)
    }

    /// Records a waiting `run()`, which counts as a listener for the result.
    mutating func runnerCame() { listeners.runnerCame() }

    mutating func runnerLeft() { listeners.runnerLeft() }

    /// Adds a reader of events; after the end it receives only the `ended` event.
    mutating func add(_ stream: EventStream<PipelineEvent>, _ turn: inout PipelineTurn) {
        guard case .ended(let outcome, let time) = phase else {
            return run.add(stream, isRunning: isRunning, &turn)
        }
        // The stream isn't shared yet, so no reader can be waiting.
        _ = stream.append(run.log.lastEvent(.ended(.init(outcome)), at: time), isReplaceable: false)
        _ = stream.finish()
    }

    // MARK: Editing and progress

    /// Changes the line of steps; throws if the pipeline has ended or is being cancelled.
    mutating func edit<Result>(
        _ change: (inout StepLine, _ isRunning: Bool) throws(EditRefusal) -> Result
    ) throws(EditRefusal) -> Result {
        if outcome != nil || run.cancelReason != nil { throw EditRefusal(code: .ended) }
        let isRunning = isRunning
        return try run.edit { line throws(EditRefusal) in try change(&line, isRunning) }
    }

    /// Records a step that a builder could not add.
    mutating func refuse(_ issue: CheckIssue) { run.edit { $0.refuse(issue) } }

    /// Replaces the first step's content, unless the pipeline was started.
    mutating func replaceFirstBag(_ content: Content, _ turn: inout PipelineTurn) {
        if case .ready = phase { run.replaceFirstBag(content, &turn) }
    }

    /// Handles a body's progress report.
    mutating func stepReported(
        _ step: StepOperation, attempt: UInt32, _ progress: StepProgress, _ turn: inout PipelineTurn
    ) {
        if isRunning { run.stepReported(step, attempt: attempt, progress, &turn) }
    }

    var progressView: PipelineProgress? { run.progress?.view }
    var progressUnits: Int64? { run.progress?.units }

    /// Starts tracking the progress, and returns the object that shows it: the first one wins.
    mutating func beginTracking(
        shownBy view: PipelineProgress, _ turn: inout PipelineTurn
    ) -> PipelineProgress {
        run.beginTracking(
            shownBy: view, hasSucceeded: outcome?.isSuccess == true, isInStep: isRunning, &turn
        )
    }
}
