public import SteplineSupport

/// The purposes of an attempt's timers.
@usableFromInline
package enum AttemptTimer: UInt8, EngineTimer, CaseIterable {
    /// The time limit of one attempt.
    case timeout
    /// The time limit of all attempts together.
    case deadline
    /// The time that an old body gets to end.
    case grace
    /// The end of a delay, which is a task of a workflow.
    case delay
    /// The back-off before the next attempt.
    case backOff
    /// The next check whether a body still reports progress.
    case watchdog

    @usableFromInline package var purpose: ClockPurpose {
        self == .backOff || self == .delay ? .wait : .background
    }
}
