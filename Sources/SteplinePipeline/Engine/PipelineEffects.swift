import SteplineSupport

/// What is to be done after an event, once the lock is released.
struct PipelineEffects {
    /// Where to go on.
    enum Next {
        case nothing
        case run(any Step, index: Int, attempt: Int, Content)
        /// By way of a queue; nil for the shared executor.
        case enqueue(on: StepQueue?, QueueTicket?)
    }

    struct TimerOrder {
        let timer: PipelineTimer
        let delay: Duration

        init(_ timer: PipelineTimer, after delay: Duration) {
            self.timer = timer
            self.delay = delay
        }
    }

    /// The step that has ended for good, and is to tell those who wait for it as an operation.
    var settled: StepSettlement?
    var next = Next.nothing

    private var rare: Rare?

    /// Everything but the two that nearly every event has: in an object, so that they stay cheap to pass.
    final class Rare {
        /// A step whose body ended when nobody waited for it any more.
        var lateBody: StepOperation?
        /// A job in a queue that must not do anything any more.
        var voided: QueueTicket?
        /// Readers of the event stream to be woken.
        var wakeups: EventFanout<PipelineEvent>.Wakeups = []
        /// Timers that aren't needed any more.
        var ended: [Subscription] = []
        /// Callbacks that will not be called; kept until here so that nothing is released under the lock.
        var dropped: [PipelineCallback] = []
        var progress: (view: PipelineProgress, units: Int64)?
        var timers: [TimerOrder] = []
        /// A step whose attempt is to be stopped, though another may follow.
        var stopped: (step: StepOperation, attempt: Int)?
        /// A step to be cancelled.
        var cancelled: StepOperation?
        /// With what that step is to end after it was cancelled.
        var settledOnceCancelled: (content: Content, error: (any Error)?)?
        /// Deliveries of callbacks, and where each is to be made.
        var due: [(delivery: UInt64, context: CallbackContext)] = []
        /// Whether the deliveries are those of the end itself, after which those who wait are resumed.
        var endsTelling = false
        var waiters: [CheckedContinuation<Outcome, Never>] = []
        var outcome: Outcome?
    }

    /// The rest, if there is any.
    var others: Rare? { rare }

    /// The rest, made on first use.
    var also: Rare {
        mutating get {
            if let rare { return rare }
            let made = Rare()
            rare = made
            return made
        }
    }
}
