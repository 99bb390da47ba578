package import SteplineEngine

/// A transfer's state as an engine's machine: what it decides goes out by the turn, and its timer is the turn's.
package struct TransferMachine: Machine {
    /// What a transfer's timer is for: the silence and the time that its plan allows.
    package enum Timer: Hashable, Sendable { case limit }

    package enum Effect {
        case perform(TransferEffect)
        /// The same, on a thread on which the transport may be called.
        case performHere(TransferEffect)
        /// The time is to be looked at, once it is known whether the peer is held back.
        case checkLimits
    }

    private(set) var state: TransferState

    init(_ plan: TransferPlan) { state = TransferState(plan) }

    package mutating func timerFired(_ timer: Timer, _ turn: inout Turn<Effect, Timer>) {
        turn.order(.checkLimits)
    }

    /// Tells the state of an event, at the turn's time.
    mutating func tell(
        _ turn: inout Turn<Effect, Timer>, isOnTransport: Bool = true,
        _ event: (inout TransferState, _ time: Duration) -> TransferEffects
    ) {
        let before = state.response
        order(event(&state, turn.now.uptime), isOnTransport: isOnTransport, &turn)
        // A transport of a user's makes its own responses.
        if before !== state.response { turn.letGo(of: before) }
    }

    /// Tells the state of an event that may come too late; false if it has, and nothing has changed.
    mutating func tellInTime(
        _ turn: inout Turn<Effect, Timer>,
        _ event: (inout TransferState, _ time: Duration) -> TransferEffects?
    ) -> Bool {
        guard let effects = event(&state, turn.now.uptime) else { return false }
        order(effects, isOnTransport: true, &turn)
        return true
    }

    /// Tells the state of an event that leads to nothing but an answer.
    mutating func ask<Answer>(
        _ turn: inout Turn<Effect, Timer>, _ event: (inout TransferState, _ time: Duration) -> Answer
    ) -> Answer {
        event(&state, turn.now.uptime)
    }

    private func order(_ effects: TransferEffects, isOnTransport: Bool, _ turn: inout Turn<Effect, Timer>) {
        for effect in effects {
            switch effect {
            case .arm(let delay): turn.set(.limit, after: delay)
            case .stop:
                turn.withdrawAllTimers()
                turn.order(.perform(effect))
            default: turn.order(isOnTransport ? .perform(effect) : .performHere(effect))
            }
        }
    }
}
