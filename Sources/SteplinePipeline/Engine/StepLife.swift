import SteplineEngine
import SteplineSupport

/// The life of the step that was handed over last: its attempts, and what the next of them waits for.
struct StepLife {
    private enum Wait {
        case nothing
        /// The job that begins the attempt, in a queue of the step's own.
        case queue(QueueTicket)
        /// Operations that the step depends on.
        case others(QueueTicket)
        /// The time before the next attempt, counted once the old body is over, and why there is a next one.
        indirect case retry(Duration, after: PipelineError)
    }

    private var attempt = Attempt()
    private var wait = Wait.nothing
    /// Since when it waits for what it waits for.
    private(set) var since = Instant.zero

    // MARK: Asking

    var attemptNumber: UInt32 { attempt.number }
    var phase: Attempt.Phase { attempt.phase }
    var hasBegun: Bool { attempt.number > 0 }
    var waitsInQueue: Bool { if case .queue = wait { true } else { false } }
    var waitsForOthers: Bool { if case .others = wait { true } else { false } }

    /// Whether the body of this attempt runs and its outcome is open.
    func isRunning(_ number: UInt32) -> Bool { attempt.isRunning(number) }

    /// Whether a body runs whose outcome is open.
    var isInBody: Bool { attempt.isRunning(attempt.number) }

    /// Why there is to be another attempt, and how long that waits; nil if there is none.
    var retry: (wait: Duration, error: PipelineError)? {
        if case .retry(let wait, let error) = wait { (wait, error) } else { nil }
    }

    // MARK: Beginning

    /// Another step is at hand, and its first attempt is to begin.
    mutating func renew() {
        attempt = Attempt()
        _ = attempt.enqueue()
    }

    mutating func wait(forOthers ticket: QueueTicket, since now: Instant) {
        wait(.others(ticket), since: now)
    }

    /// Waits in a queue; without a ticket in that of the workers.
    mutating func wait(inQueue ticket: QueueTicket?, since now: Instant) {
        wait(ticket.map { .queue($0) } ?? .nothing, since: now)
    }

    private mutating func wait(_ wait: Wait, since now: Instant) {
        self.wait = wait
        since = now
    }

    /// Begins the attempt that was waited for, and returns its number; nil if there is none to begin.
    mutating func begin(at now: Instant) -> UInt32? {
        guard !waitsForOthers, let number = attempt.begin() else { return nil }
        wait(.nothing, since: now)
        return number
    }

    /// The wait before the next attempt has passed; false if there is none any more.
    mutating func backOffPassed() -> Bool {
        guard case .backingOff = attempt.phase else { return false }
        wait = .nothing
        return attempt.enqueue()
    }

    // MARK: Ending

    /// The running attempt has ended with its body, and no other follows.
    mutating func end(_ number: UInt32, isSuccess: Bool) {
        bodyEnded(number, isSuccess ? .success : .failure)
        wait = .nothing
    }

    /// The running attempt has ended with its body, and another follows after a wait that begins now.
    mutating func retry(
        _ number: UInt32, after wait: Duration, _ error: PipelineError, at now: Instant
    ) {
        bodyEnded(number, .failureToRetry)
        self.wait(.retry(wait, after: error), since: now)
    }

    private mutating func bodyEnded(_ number: UInt32, _ outcome: Attempt.Outcome) {
        _ = attempt.end(number, outcome, by: .body)
        _ = attempt.bodyReturned(number, isOver: true)
    }

    /// The running attempt is given up, and another follows once its body is over.
    mutating func stopAndRetry(
        _ number: UInt32, after wait: Duration, _ error: PipelineError, at now: Instant
    ) {
        _ = attempt.end(number, .failureToRetry, by: .outside)
        self.wait(.retry(wait, after: error), since: now)
    }

    /// A body that was told to stop is over; true if the wait before the next attempt begins by that.
    mutating func stoppedBodyEnded(_ number: UInt32, at now: Instant) -> Bool {
        guard attempt.bodyReturned(number, isOver: true) == .backOff else { return false }
        since = now
        return true
    }

    /// Calls all of it off; what it waited for in a queue is to be made void.
    mutating func callOff() -> QueueTicket? {
        defer { wait = .nothing }
        _ = attempt.stop()
        switch wait {
        case .queue(let ticket), .others(let ticket): return ticket
        case .nothing, .retry: return nil
        }
    }
}
