import SteplineSupport

/// What is to be done after an event, once the lock is released.
struct ManagerEffects {
    struct End {
        let record: TaskRecord
        let delivery: Delivery
        /// Who runs the body that is to be stopped.
        let runner: Runner?
        /// What `didCancel` is told, if it is to be called.
        let error: TaskManagerError?
    }

    /// What the clock is asked for.
    enum Timer {
        case record(TaskRecord, number: Int)
        case deadline(TaskRecord)
        case abandon(TaskRecord, attempt: Int)
        case hold(interceptor: Int, number: Int)
        case run(reactor: Int, number: Int)
        case abandonRun(reactor: Int, number: Int)
        case interceptionAnswer, reactionAnswer, watchdog
    }

    struct RunOrder {
        let reactor: Int
        let run: ReactorRun
    }

    var runs: [RunOrder] = []
    var ends: [End] = []
    var timers: [(timer: Timer, delay: Duration)] = []
    var endedTimers: [Subscription] = []
    var stoppedBodies: [_Concurrency.Task<Void, Never>] = []
    var stoppedRunners: [Runner] = []
    var wakeups: [@Sendable () -> Void] = []
    var logged: [(event: ManagerEvent, tags: Set<String>)] = []
    var eventWakeups: EventFanout<ManagerEvent>.Wakeups = []
    var stateWakeups: EventFanout<TaskState>.Wakeups = []

    var isEmpty: Bool {
        runs.isEmpty && ends.isEmpty && timers.isEmpty && endedTimers.isEmpty && stoppedBodies.isEmpty
            && stoppedRunners.isEmpty && wakeups.isEmpty && logged.isEmpty && eventWakeups.isEmpty
            && stateWakeups.isEmpty
    }
}
