import SteplineSupport

extension ManagerState {
    /// Keeps one of the timers by which the clock looks after the manager; false if there is nothing to look after.
    ///
    /// They keep the manager, as weak references to it would make every other one dearer.
    mutating func keep(_ subscription: Subscription, of timer: ManagerEffects.Timer) -> Bool {
        guard !isOver else { return false }
        switch timer {
        case .watchdog: watchdog.timer = subscription
        case .interceptionAnswer: interception.timer = subscription
        case .reactionAnswer: asking.timer = subscription
        default: break
        }
        return true
    }

    /// Whether the manager is gone, and all its tasks have ended.
    private var isOver: Bool { isReleased && unfinished == 0 }

    mutating func endLooksIfOver() {
        guard isOver else { return }
        effects.endedTimers += [watchdog.timer, interception.timer, asking.timer].compactMap { $0 }
        watchdog.timer = nil
        interception.timer = nil
        asking.timer = nil
    }
}
