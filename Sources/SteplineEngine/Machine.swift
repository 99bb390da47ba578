/// What one engine decides, and nothing else: a value that is told what happened and says what is to be done.
///
/// Its methods are called under the engine's lock. They call nothing of a user's: no clock, no closure, no description
/// and no deallocation; what is to be done or freed they hand to the ``Turn``.
@usableFromInline
package protocol Machine {
    /// Something to be done once the lock is released.
    associatedtype Effect
    /// What the machine's timers are for, one timer for each value.
    associatedtype Timer: Hashable & Sendable

    /// A timer that was set is due, and counts as withdrawn.
    mutating func timerFired(_ timer: Timer, _ turn: inout Turn<Effect, Timer>)
}
