import Dispatch
import SteplineEngine
import SteplineSupport
import Synchronization

/// The object that performs the effects of a manager's machine.
///
/// The manager, its handles and its runners share this object. It owns the engine, the interceptors and the reactors.
/// Calls come from any thread through ``update(on:_:)``, one transaction each. Bodies, interceptors and reactors run in
/// Swift tasks (``Runner``), callbacks on the notifying thread, on workers, or at their place.
///
/// A call costs one lock and one clock reading, and a second clock reading if events are wanted.
final class ManagerCore: EngineFace {
    let name: String
    let interceptors: [any Interceptor]
    let reactors: [any Reactor]
    let engine: Engine<ManagerMachine>
    let engineClock: EngineClock
    let log: StepLog
    /// Returns the lane of a task's body; nil if there are no lanes.
    let laneOf: (@Sendable (any ManagedTask) -> TaskLane?)?
    private let executor: (any TaskExecutor)?
    /// Whether work is waiting: a hint for a polling runner, which must not take the lock.
    let hasNews = Atomic(false)
    /// Whether events are wanted, whose dates are read without the lock.
    private let isObserved = Atomic(false)

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
        engine = Engine(machine)
    }

    var clock: any StepClock { engineClock.clock }

    /// Runs one transaction and performs its effects.
    ///
    /// - Parameters:
    ///   - thread: The thread for callbacks without a queue.
    ///   - change: The change, called under the lock.
    /// - Returns: The result of `change`.
    @discardableResult
    func update<Answer>(
        on thread: TaskNews.Thread = .own,
        _ change: (inout ManagerMachine, inout ManagerTurn) -> Answer
    ) -> Answer {
        // Clocks are user code: read them before taking the lock.
        let now = engineClock.now()
        let date = isObserved.load(ordering: .relaxed) || log.isLogging(.warning) ? clock.now : nil
        return send(at: now) { machine, turn in
            if let date { machine.telling.set(date, at: now) }
            let answer = change(&machine, &turn)
            // The last step of each transaction: it decides about runners and notifications.
            machine.settle(thread, &turn)
            // Stored under the lock, in the order of the transactions. Timers bypass this method: the last poll finds
            // their work.
            hasNews.store(machine.hasWork, ordering: .relaxed)
            return answer
        }
    }

    /// Returns a stream of all later events.
    func events() -> EventStream<ManagerEvent> {
        let stream = EventStream<ManagerEvent>()
        // Before the reader joins: its first event needs a date.
        isObserved.store(true, ordering: .relaxed)
        update { machine, turn in
            machine.telling.add(stream)
            // The stream of a manager that was shut down finishes at once.
            if machine.admission == .shut { machine.telling.finish(&turn) }
        }
        return stream
    }

    func perform(_ effect: ManagerEffect) {
        switch effect {
        case .startRunner: startRunner()
        case .stop(let runner): runner.stop()
        case .beginRun(let order): begin(order)
        case .log(let event, let tags, let report): log.log(event, in: name, tags: tags, report)
        case .wake(let waiter): waiter.wake()
        case .tell(let news): tell(news)
        }
    }

    /// Starts a Swift task that inherits nothing from the current context.
    @discardableResult
    func spawn(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard let executor else { return Stages.detachedTask(body) }
        Stages.current?.noteForeign("what ‘\(name)’ runs is run by an executor of its own")
        return Task.detached(executorPreference: executor, operation: body)
    }
}
