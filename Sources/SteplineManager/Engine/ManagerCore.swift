import Dispatch
import SteplineSupport
import Synchronization

/// The thin face of a manager's machine: does what it decides, once its lock is released.
final class ManagerCore: Sendable {
    let name: String
    let interceptors: [any Interceptor]
    let reactors: [any Reactor]
    let options: TaskManager.Options
    /// Which lane a task's body takes; nil if there are none.
    let laneOf: (@Sendable (any ManagedTask) -> TaskLane?)?
    let machine: Locked<ManagerState>
    /// Shared with the machine.
    let interceptionProgress: TurnProgress
    let askingProgress: TurnProgress
    /// Whether there is something to do: a hint for a runner that looks out, who must not take the lock for it.
    let hasNews = Atomic(false)

    init(
        _ name: String, identifier: Int, interceptors: [any Interceptor], reactors: [any Reactor],
        options: TaskManager.Options, laneOf: (@Sendable (any ManagedTask) -> TaskLane?)? = nil
    ) {
        self.name = name
        self.interceptors = interceptors
        self.reactors = reactors
        self.options = options
        self.laneOf = laneOf
        let state = ManagerState(
            identifier: identifier, interceptors: interceptors.map(\.name),
            reactors: reactors.map(\.name),
            clock: options.clock, log: options.log, answerTimeout: options.answerTimeout,
            abandonAfter: options.abandonAfter, watchdogAfter: options.watchdogAfter,
            maximumWaiting: options.maximumWaiting, maximumConcurrency: options.maximumConcurrency)
        interceptionProgress = state.interception.progress
        askingProgress = state.asking.progress
        machine = Locked(state)
    }

    /// Where callbacks without a queue run that this thread has brought about.
    enum Thread {
        /// Here.
        case own
        /// Elsewhere: others wait for this thread.
        case shared
    }

    /// Tells the machine something, and does what comes of it.
    @discardableResult
    func update<Result>(on thread: Thread = .own, _ change: (inout ManagerState) -> Result) -> Result {
        // The last part is only let go, here and not under the lock.
        let (result, effects, needsRunner, _) = machine.withLock { machine in
            machine.beginChange()
            let result = change(&machine)
            let hasWork = machine.hasWork
            let needsRunner = hasWork && machine.callRunner()
            hasNews.store(hasWork && !needsRunner, ordering: .relaxed)
            return (result, machine.takeEffects(), needsRunner, machine.released.take())
        }
        if let effects { perform(effects.effects, on: thread) }
        if needsRunner { startRunner() }
        return result
    }

    private func perform(_ effects: ManagerEffects, on thread: Thread) {
        for timer in effects.endedTimers { timer.end() }
        for (event, tags) in effects.logged { options.log.log(event, in: name, tags: tags) }
        for wakeup in effects.eventWakeups { wakeup() }
        for wakeup in effects.stateWakeups { wakeup() }
        for body in effects.stoppedBodies { body.cancel() }
        for runner in effects.stoppedRunners { runner.stop() }
        for (timer, delay) in effects.timers { schedule(timer, after: delay) }
        for order in effects.runs { begin(order) }
        for wakeup in effects.wakeups { wakeup() }
        for end in effects.ends { deliver(end, on: thread) }
    }

    // MARK: Ends

    private func deliver(_ end: ManagerEffects.End, on thread: Thread) {
        end.runner?.stop()
        for waiter in end.delivery.waiters { waiter() }
        guard end.error != nil || !end.delivery.callbacks.isEmpty else { return }
        switch thread {
        case .own: tell(end)
        case .shared: SharedExecutor.shared.enqueue(Telling { self.tell(end) })
        }
    }

    private func tell(_ end: ManagerEffects.End) {
        if let error = end.error { end.delivery.didCancel?(error) }
        let queued = DispatchGroup()
        ManagerPlace.$current.withValue(ManagerPlace(core: self, kind: .callback)) {
            for callback in end.delivery.callbacks {
                if let queue = callback.context.queue {
                    queue.async(group: queued, execute: callback.call)
                } else {
                    callback.call()
                }
            }
        }
        guard end.delivery.callbacks.contains(where: { $0.context.queue != nil }) else {
            return update { $0.told() }
        }
        queued.notify(queue: .global()) { self.update { $0.told() } }
    }
}

/// Callbacks on their way to the shared executor.
private final class Telling: ExecutorJob {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    func runJob() { body() }
}
