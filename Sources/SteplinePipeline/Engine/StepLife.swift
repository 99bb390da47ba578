import SteplineEngine
import SteplineSupport

/// The current step's attempts, and the event that its next attempt waits for.
///
/// The phases are those of ``Attempt``. `wait` refines the phases `queued` and `backingOff`:
///
/// | Phase | `wait` | The attempt begins when |
/// | --- | --- | --- |
/// | queued | `nothing` | a worker runs the pipeline's job |
/// | queued | `queue` | the step's own queue runs the ticket's job |
/// | queued | `others` | the dependencies have finished and the step was handed over |
/// | stopping | `retry` | the old body has ended and the back-off has passed |
/// | backingOff | `retry` | the back-off timer has fired |
struct StepLife {
    private enum Wait {
        case nothing
        /// The job in the step's own queue that begins the attempt.
        case queue(QueueTicket)
        /// The operations that the step depends on.
        case others(QueueTicket)
        /// The back-off before the next attempt, which begins after the old body has ended, and the error that led to
        /// it.
        indirect case retry(Duration, after: PipelineError)
    }

    private var attempt = Attempt()
    private var wait = Wait.nothing
    /// The time at which the current wait began.
    private(set) var since = Instant.zero

    // MARK: Asking

    var attemptNumber: UInt32 { attempt.number }
    var phase: Attempt.Phase { attempt.phase }
    var hasBegun: Bool { attempt.number > 0 }
    var waitsInQueue: Bool { if case .queue = wait { true } else { false } }
    var waitsForOthers: Bool { if case .others = wait { true } else { false } }

    /// Returns whether this attempt runs with an open outcome.
    func isRunning(_ number: UInt32) -> Bool { attempt.isRunning(number) }

    /// Whether a body runs with an open outcome.
    var isInBody: Bool { attempt.isRunning(attempt.number) }

    /// The back-off and the error of a retry; nil if no retry follows.
    var retry: (wait: Duration, error: PipelineError)? {
        if case .retry(let wait, let error) = wait { (wait, error) } else { nil }
    }

    // MARK: Beginning

    /// Starts the life of the next step, with its first attempt queued.
    mutating func renew() {
        attempt = Attempt()
        _ = attempt.enqueue()
    }

    mutating func wait(forOthers ticket: QueueTicket, since now: Instant) {
        wait(.others(ticket), since: now)
    }

    /// Waits in the ticket's queue; nil means the queue of the workers.
    mutating func wait(inQueue ticket: QueueTicket?, since now: Instant) {
        wait(ticket.map { .queue($0) } ?? .nothing, since: now)
    }

    private mutating func wait(_ wait: Wait, since now: Instant) {
        self.wait = wait
        since = now
    }

    /// Begins the queued attempt and returns its number; nil if no attempt may begin.
    mutating func begin(at now: Instant) -> UInt32? {
        // The attempt counts as queued while the step waits for dependencies, but must not begin.
        guard !waitsForOthers, let number = attempt.begin() else { return nil }
        wait(.nothing, since: now)
        return number
    }

    /// Queues the next attempt after its back-off; returns false if the step isn't backing off any more.
    mutating func backOffPassed() -> Bool {
        // A cancellation between the timer and this call has stopped the attempt.
        guard case .backingOff = attempt.phase else { return false }
        wait = .nothing
        return attempt.enqueue()
    }

    // MARK: Ending

    /// Ends the running attempt and its body; no further attempt follows.
    mutating func end(_ number: UInt32, isSuccess: Bool) {
        bodyEnded(number, isSuccess ? .success : .failure)
        wait = .nothing
    }

    /// Ends the running attempt and its body; another attempt follows after a back-off that begins now.
    mutating func retry(
        _ number: UInt32, after wait: Duration, _ error: PipelineError, at now: Instant
    ) {
        bodyEnded(number, .failureToRetry)
        self.wait(.retry(wait, after: error), since: now)
    }

    private mutating func bodyEnded(_ number: UInt32, _ outcome: Attempt.Outcome) {
        // A pipeline learns of an attempt's end after its body has returned, so both halves end together.
        _ = attempt.end(number, outcome, by: .body)
        _ = attempt.bodyReturned(number, isOver: true)
    }

    /// Stops the running attempt; another attempt follows after its body has ended.
    mutating func stopAndRetry(
        _ number: UInt32, after wait: Duration, _ error: PipelineError, at now: Instant
    ) {
        _ = attempt.end(number, .failureToRetry, by: .outside)
        self.wait(.retry(wait, after: error), since: now)
    }

    /// Ends a stopped body; returns true if the back-off of the next attempt begins now.
    mutating func stoppedBodyEnded(_ number: UInt32, at now: Instant) -> Bool {
        // Any other step means that the attempt was given up, or that the number is an old one.
        guard attempt.bodyReturned(number, isOver: true) == .backOff else { return false }
        since = now
        return true
    }

    /// Stops all activity; returns the ticket of a queue to invalidate.
    mutating func callOff() -> QueueTicket? {
        defer { wait = .nothing }
        _ = attempt.stop()
        switch wait {
        case .queue(let ticket), .others(let ticket): return ticket
        case .nothing, .retry: return nil
        }
    }
}
