import Dispatch
import SteplineEngine
import SteplineSupport
import Synchronization

/// The face of a manager's machine: does what it decides, once its lock is released.
final class ManagerCore: EngineFace {
    let name: String
    let interceptors: [any Interceptor]
    let reactors: [any Reactor]
    let engine: Engine<ManagerMachine>
    let engineClock: EngineClock
    let log: StepLog
    /// Which lane a task's body takes; nil if there are none.
    let laneOf: (@Sendable (any ManagedTask) -> TaskLane?)?
    private let executor: (any TaskExecutor)?
    /// Shared with the machine.
    let interceptionProgress: TurnProgress
    let askingProgress: TurnProgress
    /// Whether there is something to do: a hint for a runner that looks out, who must not take the lock for it.
    let hasNews = Atomic(false)
    /// Whether events are wanted, whose dates are read before the lock.
    private let isTold = Atomic(false)

    init(
        _ name: String, interceptors: [any Interceptor], reactors: [any Reactor], clock: any StepClock,
        log: StepLog, executor: (any TaskExecutor)?, laneOf: (@Sendable (any ManagedTask) -> TaskLane?)?,
        _ machine: sending ManagerMachine
    ) {
        self.name = name
        self.interceptors = interceptors
        self.reactors = reactors
        self.log = log
        self.executor = executor
        self.laneOf = laneOf
        engineClock = EngineClock(clock)
        interceptionProgress = machine.interception.progress
        askingProgress = machine.asking.progress
        engine = Engine(machine)
    }

    var clock: any StepClock { engineClock.clock }

    /// Tells the machine something, and does what comes of it.
    @discardableResult
    func update<Answer>(
        on thread: TaskNews.Thread = .own,
        _ change: (inout ManagerMachine, inout ManagerTurn) -> Answer
    ) -> Answer {
        let now = engineClock.now()
        let date = isTold.load(ordering: .relaxed) || log.isLogging(.warning) ? clock.now : nil
        return send(at: now) { machine, turn in
            if let date { machine.telling.set(date, at: now) }
            let answer = change(&machine, &turn)
            machine.settle(thread, &turn)
            hasNews.store(machine.hasWork, ordering: .relaxed)
            return answer
        }
    }

    /// Adds a reader of all that happens from now on.
    func events() -> EventStream<ManagerEvent> {
        let stream = EventStream<ManagerEvent>()
        isTold.store(true, ordering: .relaxed)
        update { machine, turn in
            machine.telling.add(stream)
            // One whose manager has come to its end gives nothing.
            if machine.door == .shut { machine.telling.finish(&turn) }
        }
        return stream
    }

    func perform(_ effect: ManagerEffect) {
        switch effect {
        case .startRunner: startRunner()
        case .stop(let runner): runner.stop()
        case .beginRun(let order): begin(order)
        case .log(let event, let tags): log.log(event, in: name, tags: tags)
        case .wake(let waiter): waiter.wake()
        case .tell(let news): tell(news)
        }
    }

    /// Starts a Swift task that inherits nothing of where it was started.
    @discardableResult
    func spawn(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard let executor else { return Stages.detachedTask(body) }
        Stages.current?.noteForeign("what ‘\(name)’ runs is run by an executor of its own")
        return Task.detached(executorPreference: executor, operation: body)
    }
}
