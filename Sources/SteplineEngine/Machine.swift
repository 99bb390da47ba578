public import SteplineSupport

/// The decisions of one engine as a value: each method receives an event and records effects.
///
/// The engine calls the methods under its lock, one at a time. They must not call user code: no clock, no closure, no
/// description, no deinitializer. They hand effects and discarded values to the ``Turn``.
@usableFromInline
package protocol Machine {
    /// An action that is performed after unlock.
    associatedtype Effect
    /// The purpose of a timer; each value has at most one timer.
    associatedtype Timer: EngineTimer

    /// Handles a timer that has fired; the timer is no longer set.
    mutating func timerFired(_ timer: Timer, _ turn: inout Turn<Effect, Timer>)
}

/// The purpose of a machine's timer.
@usableFromInline
package protocol EngineTimer: Hashable, Sendable {
    /// Whether the timer ends a wait or a time limit.
    var purpose: ClockPurpose { get }
}
