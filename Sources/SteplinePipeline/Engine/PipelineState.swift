import SteplineSupport

/// Where a pipeline stands: a machine that decides and does nothing.
///
/// Each event that can happen is one mutating method; it changes the state and returns what is to be done,
/// once the lock is released (``PipelineEffects``). Times are readings of the clock's `uptime`.
struct PipelineState {
    enum Phase {
        case ready
        case running
        indirect case ended(Outcome)
    }

    /// What a running pipeline waits for.
    enum Activity {
        case nothing
        /// For a queue to run the job that begins the current step's next attempt.
        case queued(QueueTicket?)
        /// For the body of the current attempt to end.
        case body
        /// For the wait before the next attempt to pass.
        case backoff
        /// For the body of an attempt whose time is over to end, so that the next one may begin.
        indirect case oldBody(timeout: PipelineError, wait: Duration)
    }

    // Ten thousand pipelines may wait at once: counts are small, and stand where their neighbours leave room.

    let identity: PipelineIdentity
    /// Whether it was cancelled after its end: then nobody else is told of a success or failure.
    var isSilenced = false
    /// Whether callbacks that were due at the end are being called: who waits for the end waits for these too.
    var isTelling = false
    private var handedOverNumber: UInt32 = 0
    let options: PipelineOptions

    var phase = Phase.ready
    var activity = Activity.nothing
    private var attemptNumber: UInt32 = 0
    /// Since when the pipeline has been waiting for what it waits for; after the end, when that was.
    var waitingSince = Duration.zero
    var cancelReason: CancellationReason?

    var steps: [any Step] = []
    /// What a builder could not add; keeps the pipeline from being started.
    var refusedSteps: [PipelineIssue] = []
    /// The current step's options, as they were when it was handed over; nil for the defaults.
    var currentOptions: StepOptionsBox?

    /// What the first step gets.
    private(set) var firstBag: Content
    /// What the current step got, or the next one will get.
    var bag: Content
    /// The bag of the step that ended last.
    var content: Content?

    var observers: [PipelineCallback] = []
    var lastCallbackID: UInt64 = 0
    /// Callbacks that are due and have not begun, by the place where they run.
    var deliveries: [PipelineDelivery] = []
    var waiters: [CheckedContinuation<Outcome, Never>] = []

    var readers = EventFanout<PipelineEvent>()
    private var hasWatchdog = false
    private var eventNumber: UInt32 = 0
    /// Counts the changes of `steps`, so that what was computed from them can be seen to be out of date.
    var version: UInt32 = 0
    /// Turns readings of the clock into dates; set when it is first read.
    var calendar: PipelineCalendar?
    /// How many calls of `run()` wait for the end.
    var runners: Int32 = 0

    var timers = PipelineTimers()
    var progress: ProgressTracker?

    init(identity: PipelineIdentity, options: PipelineOptions, content: Content) {
        self.identity = identity
        self.options = options
        firstBag = content
        bag = content
    }

    /// Gives the first step something else, unless the pipeline was started.
    mutating func replaceFirstBag(_ content: Content) {
        guard case .ready = phase else { return }
        firstBag = content
        bag = content
        version += 1
    }

    // MARK: Asking

    /// How many steps have been handed over; the current one is the last of these.
    private(set) var handedOver: Int {
        get { Int(handedOverNumber) }
        set { handedOverNumber = UInt32(clamping: newValue) }
    }

    /// The number of the current step's latest attempt.
    private(set) var attempt: Int {
        get { Int(attemptNumber) }
        set { attemptNumber = UInt32(clamping: newValue) }
    }

    var current: (any Step)? { handedOver > 0 ? steps[handedOver - 1] : nil }

    /// Whether a watchdog is to be set, now that there is a reader to be told of stalls: one is, which looks until the
    /// end; without any time in between that would never come.
    mutating func callsWatchdog() -> Bool {
        guard !hasWatchdog, options.watchdog > .zero else { return false }
        hasWatchdog = true
        return true
    }

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    func isCurrent(_ step: StepOperation) -> Bool { current === step }

    func position(of index: Int) -> StepPosition {
        let step = steps[index]
        return StepPosition(name: step.displayName, type: step.typeName, index: index, count: steps.count)
    }

    var currentPosition: StepPosition? { handedOver > 0 ? position(of: handedOver - 1) : nil }

    // MARK: Running

    /// The pipeline has been checked and is to run; the first job goes to the shared executor.
    mutating func start(_ moment: PipelineMoment) -> PipelineEffects {
        var effects = PipelineEffects()
        calendar = calendar ?? moment.calendar
        phase = .running
        emit(at: moment.uptime, &effects) { _ in .started }
        if let timeout = options.timeout { effects.also.timers.append(.init(.whole, after: timeout)) }
        if !readers.isEmpty, callsWatchdog() {
            effects.also.timers.append(.init(.watchdog, after: options.watchdog))
        }
        goOn(at: moment.uptime, place: .callersStack, &effects)
        return effects
    }

    /// The job that was handed to a queue has begun.
    mutating func queuedJobBegan(at time: Duration) -> PipelineEffects {
        var effects = PipelineEffects()
        if case .queued = activity { beginAttempt(at: time, &effects) }
        return effects
    }

    /// Goes on to the next step, or ends.
    mutating func goOn(at time: Duration, place: PipelinePlace, _ effects: inout PipelineEffects) {
        if let cancelReason {
            end(.cancelled(cancelReason), at: time, &effects)
        } else if handedOver < steps.count {
            handedOver += 1
            attempt = 0
            handOver(at: time, place: place, &effects)
        } else {
            end(.succeeded, at: time, &effects)
        }
    }

    /// Begins the current step's next attempt, here if it may run here, else by way of a queue.
    mutating func handOver(at time: Duration, place: PipelinePlace, _ effects: inout PipelineEffects) {
        let step = steps[handedOver - 1]
        let (options, isCancelled) = step.state.withLock { ($0.options, $0.isCancelled) }
        currentOptions = options
        // A step that was cancelled has no body to run, and so no queue to wait for.
        let queue = isCancelled ? nil : options?.options.queue
        if place.suits(step, on: queue) {
            beginAttempt(at: time, &effects)
        } else {
            let ticket = queue.map { _ in QueueTicket() }
            activity = .queued(ticket)
            waitingSince = time
            effects.next = .enqueue(on: queue, ticket)
        }
    }

    private mutating func beginAttempt(at time: Duration, _ effects: inout PipelineEffects) {
        let index = handedOver - 1
        let step = steps[index]
        attempt += 1
        activity = .body
        waitingSince = time
        emit(at: time, &effects) { .stepStarted($0.position(of: index), attempt: $0.attempt) }
        if let timeout = currentOptions?.options.timeout {
            effects.also.timers.append(.init(.attempt(index, attempt), after: timeout))
        }
        effects.next = .run(step, index: index, attempt: attempt, bag)
    }

    // MARK: Telling

    /// Counts an event, and makes it for those who read.
    mutating func emit(
        at time: Duration, _ effects: inout PipelineEffects, isReplaceable: Bool = false,
        _ kind: (PipelineState) -> PipelineEvent.Kind
    ) {
        eventNumber &+= 1
        guard !readers.isEmpty else { return }
        let event = makeEvent(kind(self), at: time)
        let wakeups = readers.send(event, isReplaceable: isReplaceable)
        if !wakeups.isEmpty { effects.also.wakeups += wakeups }
    }

    func makeEvent(_ kind: PipelineEvent.Kind, at time: Duration) -> PipelineEvent {
        let date = (calendar ?? .unknown).date(of: time)
        return PipelineEvent(number: Int(eventNumber), time: date, pipeline: identity.text, kind: kind)
    }
}
