/// The life of one piece of work, through all its attempts: what it waits for, whether a body is live, what comes next.
///
/// A task has one, and so has the step that a pipeline is at. It decides; arming timers, calling bodies and telling others
/// is done by whoever asks. The rule that it keeps is that one body is live at a time: while an old one still is, whatever
/// wants to begin waits for it, or until somebody gives it up.
@frozen
@usableFromInline
package struct Attempt: Sendable, Hashable {
    /// Where it stands.
    @frozen
    @usableFromInline
    package enum Phase: Sendable, Hashable {
        /// Nobody has asked for an attempt.
        case waiting
        /// The next attempt may begin, and stands in some line.
        case queued
        /// An attempt runs, and its outcome is open.
        case running(Body)
        /// The outcome of the latest attempt is decided, but its body isn't over.
        case stopping(Body, then: Next)
        /// It waits between a failure and the next attempt.
        case backingOff
        /// The outcome is decided, and no body is live.
        case ended
    }

    /// How far a body is from being over, which it is once its call has returned and its end was reported.
    @frozen
    @usableFromInline
    package enum Body: Sendable, Hashable {
        /// Neither.
        case open
        /// Its call has returned; its end is to be reported later, from anywhere.
        case returned
        /// Its end was reported; its call has not returned.
        case reported
    }

    /// What comes once the old body is over.
    @frozen
    @usableFromInline
    package enum Next: Sendable, Hashable {
        case nothing
        /// The next attempt is queued.
        case queue
        /// The wait before the next attempt begins.
        case backOff
    }

    /// The number of the attempt begun last; 0 before the first.
    @usableFromInline package internal(set) var number: UInt32 = 0
    /// How many attempts have failed since somebody last asked for the work by hand: what a retry policy goes by.
    @usableFromInline package internal(set) var failures: UInt16 = 0
    @usableFromInline package internal(set) var phase = Phase.waiting

    @inlinable
    package init() {}

    /// Goes on counting behind the attempts that the work had elsewhere.
    @inlinable
    package init(after number: UInt32, failures: UInt16 = 0) {
        self.number = number
        self.failures = failures
    }

    // MARK: Asking

    /// Whether this attempt runs and its outcome is open: only then does what it reports count.
    @inlinable
    package func isRunning(_ attempt: UInt32) -> Bool {
        guard case .running = phase else { return false }
        return attempt == number
    }

    /// Whether a body is live, wanted or not.
    @inlinable
    package var hasBody: Bool {
        switch phase {
        case .running, .stopping: true
        case .waiting, .queued, .backingOff, .ended: false
        }
    }

    /// Whether something will happen to it without anybody asking for more.
    @inlinable
    package var isBusy: Bool {
        switch phase {
        case .waiting, .ended: false
        case .queued, .running, .stopping, .backingOff: true
        }
    }

    // MARK: Beginning

    /// Asks for an attempt: true if it is queued now; else it runs already, is queued already, or follows the old body.
    @inlinable
    package mutating func enqueue() -> Bool {
        switch phase {
        case .waiting, .backingOff, .ended:
            phase = .queued
            return true
        case .stopping(let body, _):
            phase = .stopping(body, then: .queue)
            return false
        case .queued, .running:
            return false
        }
    }

    /// Uses up a number for an attempt that never began, so that what is known of it is told from the next one.
    @inlinable
    package mutating func skip() { number &+= 1 }

    /// Goes on with a wait before the next attempt that it was in elsewhere.
    @inlinable
    package mutating func backOff() {
        if case .waiting = phase { phase = .backingOff }
    }

    /// Begins the queued attempt, and returns its number; nil if none is queued.
    @inlinable
    package mutating func begin() -> UInt32? {
        guard case .queued = phase else { return nil }
        number &+= 1
        phase = .running(.open)
        return number
    }

    // MARK: Ending

    /// Who says that an attempt has ended.
    @frozen
    @usableFromInline
    package enum Source: Sendable {
        /// The body itself, whose end this is.
        case body
        /// Somebody else: the body is to be stopped.
        case outside
        /// A part of the body, while the rest of it goes on and will report its end.
        case part
    }

    /// The outcome of an attempt.
    @frozen
    @usableFromInline
    package enum Outcome: Sendable {
        case success
        /// A failure that stands.
        case failure
        /// A failure after which another attempt follows.
        case failureToRetry
    }

    /// Decides the running attempt's outcome: nil if it isn't this one that runs, and then nothing has changed but that
    /// a late body may have reported its end (see ``bodyReported(_:)``).
    @inlinable
    package mutating func end(_ attempt: UInt32, _ outcome: Outcome, by source: Source) -> Step? {
        guard case .running(let body) = phase, attempt == number else { return nil }
        if case .success = outcome {} else { failures = failures == .max ? .max : failures + 1 }
        var next = Next.nothing
        if case .failureToRetry = outcome { next = .backOff }
        switch (source, body) {
        case (.body, .open), (.body, .reported): phase = .stopping(.reported, then: next)
        case (.body, .returned): return finishStopping(then: next)
        case (.outside, _), (.part, _): phase = .stopping(body, then: next)
        }
        return .nothing
    }

    /// What whoever asked is to do next.
    @frozen
    @usableFromInline
    package enum Step: Sendable, Hashable {
        /// No body is over by that.
        case nothing
        /// The body is over, and nothing follows.
        case over
        /// The body is over, and the next attempt is queued: put it in line.
        case queue
        /// The body is over, and it backs off: set the timer.
        case backOff
    }

    /// The call that began the body has returned.
    ///
    /// With `isOver`, that was also the body's end, as of a plain closure.
    @inlinable
    package mutating func bodyReturned(_ attempt: UInt32, isOver: Bool = false) -> Step {
        guard attempt == number else { return .nothing }
        switch phase {
        case .running(.open) where !isOver: phase = .running(.returned)
        case .stopping(.open, let next) where !isOver: phase = .stopping(.returned, then: next)
        case .stopping(_, let next): return finishStopping(then: next)
        case .waiting, .queued, .running, .backingOff, .ended: break
        }
        return .nothing
    }

    /// The body has reported its end, which didn't count any more.
    @inlinable
    package mutating func bodyReported(_ attempt: UInt32) -> Step {
        guard attempt == number, case .stopping(let body, let next) = phase else { return .nothing }
        switch body {
        case .open, .reported:
            phase = .stopping(.reported, then: next)
            return .nothing
        case .returned:
            return finishStopping(then: next)
        }
    }

    /// Nobody waits for the old body any more: its grace is over, or nobody can report its end.
    @inlinable
    package mutating func giveUpBody(_ attempt: UInt32) -> Step {
        guard attempt == number, case .stopping(_, let next) = phase else { return .nothing }
        return finishStopping(then: next)
    }

    @inlinable
    mutating func finishStopping(then next: Next) -> Step {
        switch next {
        case .nothing:
            phase = .ended
            return .over
        case .queue:
            phase = .queued
            return .queue
        case .backOff:
            phase = .backingOff
            return .backOff
        }
    }

    // MARK: Stopping

    /// What there was to be stopped.
    @frozen
    @usableFromInline
    package enum Stopped: Sendable, Hashable {
        case nothing
        /// It stood in line.
        case queued
        /// It waited for its next attempt.
        case backingOff
        /// The running attempt, whose body is to be told.
        case running(UInt32)
        /// Only what would have followed the old body.
        case stopping
    }

    /// Calls the work off, whatever it does: nothing follows, and the outcome is for the caller to keep.
    @inlinable
    package mutating func stop() -> Stopped {
        switch phase {
        case .waiting, .ended:
            phase = .ended
            return .nothing
        case .queued:
            phase = .ended
            return .queued
        case .backingOff:
            phase = .ended
            return .backingOff
        case .running(let body):
            phase = .stopping(body, then: .nothing)
            return .running(number)
        case .stopping(let body, _):
            phase = .stopping(body, then: .nothing)
            return .stopping
        }
    }

    /// Somebody asks for the work by hand: earlier failures no longer count.
    ///
    /// What has ended waits again; nothing begins by this.
    @inlinable
    package mutating func renew() {
        failures = 0
        if case .ended = phase { phase = .waiting }
    }
}
