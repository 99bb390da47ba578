package import SteplineEngine
package import SteplineSupport

/// A transfer's state as the machine of an engine, with its effects and timer in the transaction.
package struct TransferMachine: Machine {
    /// The timer of a transfer: the limits of silence and total time.
    package enum Timer: EngineTimer {
        case limit

        package var purpose: ClockPurpose { .background }
    }

    package enum Effect {
        case perform(TransferEffect)
        /// The effect on a thread that may call the transport.
        case performHere(TransferEffect)
        /// Check the time limits, after reading whether the peer is held back.
        case checkLimits
    }

    private(set) var state: TransferState

    init(_ plan: TransferPlan) { state = TransferState(plan) }

    package mutating func timerFired(_ timer: Timer, _ turn: inout Turn<Effect, Timer>) {
        turn.order(.checkLimits)
    }

    /// Handles an event at the transaction's time.
    mutating func tell(
        _ turn: inout Turn<Effect, Timer>, isOnTransport: Bool = true,
        _ event: (inout TransferState, _ time: Duration) -> TransferEffects
    ) {
        let before = state.response
        order(event(&state, turn.now.uptime), isOnTransport: isOnTransport, &turn)
        // A user's transport creates its own responses: release the old one after unlock.
        if before !== state.response { turn.releaseAfterUnlock(before) }
    }

    /// Handles an event that may come too late; returns false, without any change, if it does.
    mutating func tellInTime(
        _ turn: inout Turn<Effect, Timer>,
        _ event: (inout TransferState, _ time: Duration) -> TransferEffects?
    ) -> Bool {
        guard let effects = event(&state, turn.now.uptime) else { return false }
        order(effects, isOnTransport: true, &turn)
        return true
    }

    /// Handles an event that has a result but no effects.
    mutating func ask<Answer>(
        _ turn: inout Turn<Effect, Timer>, _ event: (inout TransferState, _ time: Duration) -> Answer
    ) -> Answer {
        event(&state, turn.now.uptime)
    }

    private func order(_ effects: TransferEffects, isOnTransport: Bool, _ turn: inout Turn<Effect, Timer>) {
        for effect in effects {
            switch effect {
            // A single timer serves both limits: it is set for the earlier one.
            case .arm(let delay): turn.set(.limit, after: delay)
            case .stop:
                turn.withdrawAllTimers()
                turn.order(.perform(effect))
            default: turn.order(isOnTransport ? .perform(effect) : .performHere(effect))
            }
        }
    }
}
