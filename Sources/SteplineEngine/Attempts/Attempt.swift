/// The life cycle of one piece of work: its attempts, its live body, and the step that follows.
///
/// One task owns one attempt state, and so does the current step of a pipeline. A machine calls every method under its
/// engine's lock. Methods only decide: the machine sets timers, calls bodies and notifies listeners according to the
/// returned ``Step``.
///
/// | Phase | Meaning | Left by |
/// | --- | --- | --- |
/// | `waiting` | no attempt is requested | ``enqueue()``, ``backOff()``, ``stop()`` |
/// | `queued` | the next attempt waits in a queue | ``begin()``, ``stop()`` |
/// | `running` | a body is live, the outcome is open | ``end(_:_:by:)``, ``stop()`` |
/// | `stopping` | the outcome is decided, a body is live, stopped or not | the end of the body, ``giveUpBody(_:)`` |
/// | `backingOff` | the back-off timer runs | ``enqueue()``, ``stop()`` |
/// | `ended` | the outcome is decided, no body is live | ``enqueue()``, ``renew()`` |
///
/// Invariant: at most one body is live. A new attempt waits until the old body ends or is given up. A body is over once
/// its call has returned and its end was reported, in either order. Every operation is constant time.
///
/// A body that reports its own end leads to `stopping` too, until its call returns; no handler stops this body. The
/// machine decides how long to wait: it sets the grace timer and calls ``giveUpBody(_:)``. A pipeline never gives up a
/// timed-out body for its next attempt, but fails the step.
@frozen
@usableFromInline
package struct Attempt: Sendable, Hashable {
    /// The current phase.
    @frozen
    @usableFromInline
    package enum Phase: Sendable, Hashable {
        /// No attempt was requested.
        case waiting
        /// The next attempt may begin and waits in a queue.
        case queued
        /// An attempt runs, and its outcome is open.
        case running(Body)
        /// The outcome of the latest attempt is decided, but its body isn't over.
        case stopping(Body, then: Next)
        /// The back-off between a failure and the next attempt.
        case backingOff
        /// The outcome is decided, and no body is live.
        case ended
    }

    /// Which half of a body's end is still missing: the return of its call or the report of its end.
    @frozen
    @usableFromInline
    package enum Body: Sendable, Hashable {
        /// Both are missing.
        case open
        /// Its call has returned; its end is to be reported later, from anywhere.
        case returned
        /// Its end was reported; its call has not returned.
        case reported
    }

    /// The action that follows the end of the old body.
    @frozen
    @usableFromInline
    package enum Next: Sendable, Hashable {
        case nothing
        /// The next attempt is queued.
        case queue
        /// The back-off before the next attempt begins.
        case backOff
    }

    /// The number of the latest attempt; 0 before the first.
    @usableFromInline package internal(set) var number: UInt32 = 0
    /// The number of failed attempts since the last ``renew()``; retry policies read this number.
    @usableFromInline package internal(set) var failures: UInt16 = 0
    @usableFromInline package internal(set) var phase = Phase.waiting

    @inlinable
    package init() {}

    /// Continues the numbering of attempts that ran in another process or run.
    @inlinable
    package init(after number: UInt32, failures: UInt16 = 0) {
        self.number = number
        self.failures = failures
    }

    // MARK: Asking

    /// Returns whether this attempt runs with an open outcome; only reports from such an attempt count.
    @inlinable
    package func isRunning(_ attempt: UInt32) -> Bool {
        guard case .running = phase else { return false }
        return attempt == number
    }

    /// Whether the next attempt waits in a queue.
    @inlinable
    package var isQueued: Bool {
        if case .queued = phase { true } else { false }
    }

    /// Whether a body is live, even if its outcome no longer counts.
    @inlinable
    package var hasBody: Bool {
        switch phase {
        case .running, .stopping: true
        case .waiting, .queued, .backingOff, .ended: false
        }
    }

    /// Whether the work changes phase without a further request.
    @inlinable
    package var isBusy: Bool {
        switch phase {
        case .waiting, .ended: false
        case .queued, .running, .stopping, .backingOff: true
        }
    }

    // MARK: Beginning

    /// Requests an attempt; returns false if one is already queued or running, or will follow the old body.
    @inlinable
    package mutating func enqueue() -> Bool {
        switch phase {
        case .waiting, .backingOff, .ended:
            phase = .queued
            return true
        case .stopping(let body, _):
            // The old body is live: the attempt is queued when the body ends or is given up.
            phase = .stopping(body, then: .queue)
            return false
        case .queued, .running:
            return false
        }
    }

    /// Consumes a number for an attempt that never began; events then report the next number.
    @inlinable
    package mutating func skip() { number &+= 1 }

    /// Resumes a back-off that began in another process or run.
    @inlinable
    package mutating func backOff() {
        if case .waiting = phase { phase = .backingOff }
    }

    /// Begins the queued attempt and returns its number; nil if none is queued.
    @inlinable
    package mutating func begin() -> UInt32? {
        guard case .queued = phase else { return nil }
        number &+= 1
        phase = .running(.open)
        return number
    }

    // MARK: Ending

    /// The origin of the report that an attempt has ended.
    @frozen
    @usableFromInline
    package enum Source: Sendable {
        /// The body reports its own end.
        case body
        /// The caller ends the attempt and must stop the body.
        case outside
        /// A part of the body, while the rest continues and will report the end of the body.
        case part
    }

    /// The outcome of an attempt.
    @frozen
    @usableFromInline
    package enum Outcome: Sendable {
        case success
        /// A final failure.
        case failure
        /// A failure after which another attempt follows.
        case failureToRetry
    }

    /// Decides the outcome of the running attempt.
    ///
    /// Returns nil, without any change, if this attempt isn't running. A late body then calls ``bodyReported(_:)``.
    @inlinable
    package mutating func end(_ attempt: UInt32, _ outcome: Outcome, by source: Source) -> Step? {
        guard case .running(let body) = phase, attempt == number else { return nil }
        // Saturate: the count must neither trap nor wrap to 0, which would allow all retries again.
        if case .success = outcome {} else { failures = failures == .max ? .max : failures + 1 }
        var next = Next.nothing
        if case .failureToRetry = outcome { next = .backOff }
        switch (source, body) {
        // The call of the body is still on a thread's stack: the attempt stays live until it returns.
        // `reported` never occurs here: a report decides the outcome, which ends the phase `running`.
        case (.body, .open), (.body, .reported): phase = .stopping(.reported, then: next)
        case (.body, .returned): return finishStopping(then: next)
        // The report says nothing about the body: keep waiting for the missing half of its end.
        case (.outside, _), (.part, _): phase = .stopping(body, then: next)
        }
        return .nothing
    }

    /// The action that the caller performs next.
    @frozen
    @usableFromInline
    package enum Step: Sendable, Hashable {
        /// Nothing: no body has ended.
        case nothing
        /// The body is over and nothing follows.
        case over
        /// The body is over and the next attempt is queued: enqueue the work.
        case queue
        /// The body is over and the work backs off: set the back-off timer.
        case backOff
    }

    /// Records that the call of the body has returned.
    ///
    /// With `isOver` the return is also the end of the body, as for a synchronous closure.
    @inlinable
    package mutating func bodyReturned(_ attempt: UInt32, isOver: Bool = false) -> Step {
        // A body that was given up returns late: the number belongs to a later attempt by now.
        guard attempt == number else { return .nothing }
        switch phase {
        case .running(.open) where !isOver: phase = .running(.returned)
        case .stopping(.open, let next) where !isOver: phase = .stopping(.returned, then: next)
        // The body was reported, or its return is its end: both halves are complete now.
        case .stopping(_, let next): return finishStopping(then: next)
        case .waiting, .queued, .running, .backingOff, .ended: break
        }
        return .nothing
    }

    /// Ends the running attempt successfully by the return of its body.
    ///
    /// One step for ``end(_:_:by:)`` and ``bodyReturned(_:isOver:)``, which lead to ``Step/over``. Returns false,
    /// without any change, if this attempt isn't running, or its call has returned before.
    @inlinable
    package mutating func bodySucceeded(_ attempt: UInt32) -> Bool {
        guard case .running(.open) = phase, attempt == number else { return false }
        phase = .ended
        return true
    }

    /// Records that a body reported its end after the outcome was already decided.
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

    /// Stops waiting for the old body: its grace period has elapsed, or its end can no longer be reported.
    @inlinable
    package mutating func giveUpBody(_ attempt: UInt32) -> Step {
        // The body may be over already: nothing is left to give up.
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

    /// The activity that ``stop()`` interrupted.
    @frozen
    @usableFromInline
    package enum Stopped: Sendable, Hashable {
        case nothing
        /// The work waited in a queue.
        case queued
        /// The work waited for its next attempt.
        case backingOff
        /// An attempt ran; the caller must stop its body.
        case running(UInt32)
        /// The old body is still live; only the step after it was dropped.
        case stopping
    }

    /// Stops the work in any phase; no attempt follows, and the caller keeps the outcome.
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

    /// Resets the failure count for a request by hand, and moves `ended` to `waiting`.
    ///
    /// No attempt begins.
    @inlinable
    package mutating func renew() {
        failures = 0
        // In `stopping` the phase stays: ``enqueue()`` then requests the attempt that follows the live body.
        if case .ended = phase { phase = .waiting }
    }
}
