import SteplineEngine
public import SteplineSupport

extension TaskManager {
    /// The unfinished handles, in order of addition.
    public var tasks: [AnyTaskHandle] {
        core.engine.read { $0.register.tasks }.map { AnyTaskHandle($0, core) }
    }

    /// The numbers of unfinished tasks by state, all from the same moment.
    public var counts: Counts {
        Counts(core.engine.read { machine in machine.register.tasks.map { machine.state(of: $0) } })
    }

    /// The maximum number of live bodies; nil for no limit.
    ///
    /// Lowering the limit stops no body.
    public var maximumConcurrency: Int? {
        get { core.engine.read { $0.ready.limit } }
        set { core.update(on: .other) { $0.setLimit(newValue, &$1) } }
    }

    /// Cancels unfinished tasks and returns their number.
    ///
    /// - Parameters:
    ///   - tag: The tag of the tasks to cancel; nil for all tasks.
    ///   - reason: The reason, which the outcomes carry.
    /// - Returns: The number of cancelled tasks.
    @discardableResult
    public func cancelAll(tagged tag: String? = nil, _ reason: CancellationReason = .requested) -> Int {
        core.update { machine, turn in
            machine.cancelAll(reason, &turn) { record in tag.map(record.tags.contains) ?? true }
        }
    }

    /// Cancels the unfinished tasks that match a condition and returns their number.
    ///
    /// - Parameters:
    ///   - reason: The reason, which the outcomes carry.
    ///   - fits: The condition.
    /// - Returns: The number of cancelled tasks.
    @discardableResult
    public func cancelAll(
        _ reason: CancellationReason = .requested, where fits: (AnyTaskHandle) -> Bool
    ) -> Int {
        // The condition is user code: evaluate it without the lock.
        let chosen = Set(tasks.filter(fits).map(\.identifier))
        // Tasks that were added during the evaluation are not chosen, and continue.
        return core.update { machine, turn in
            machine.cancelAll(reason, &turn) { chosen.contains($0.identifier) }
        }
    }

    /// Prevents further tasks from beginning, except tasks that a reactor's run adds.
    ///
    /// Running tasks continue, and added tasks are intercepted.
    public func pause() { core.update { $0.pause(&$1) } }

    /// Allows tasks to begin again.
    public func resume() { core.update { $0.resume(&$1) } }

    /// Whether the manager is paused.
    public var isPaused: Bool { core.engine.read { $0.ready.isPaused } }

    /// Releases the tasks held by one interceptor, or by all.
    ///
    /// - Parameter interceptor: The name of the interceptor; nil for all.
    public func releaseHeld(by interceptor: String? = nil) {
        core.update { machine, turn in
            for position in machine.holds.positions
            where interceptor == nil || interceptor == machine.rules.interceptors[position] {
                machine.release(by: position, &turn)
            }
        }
    }

    /// The events from now on, in order; the stream finishes with its manager.
    ///
    /// Each access creates a stream for one reader.
    public var events: some AsyncSequence<ManagerEvent, Never> & Sendable { core.events() }

    /// Describes why the manager isn't idle; shows at most 20 tasks.
    public func explain() -> Explanation {
        let tasks = tasks
        let subject = "manager \(name)"
        guard !tasks.isEmpty else { return Explanation(of: subject, .idle, "is idle") }
        // Each explanation takes the lock, and is linear for a ready task.
        let shown = tasks.prefix(20).map { $0.explain().description }
        let rest = tasks.count > 20 ? ["and \(tasks.count - 20) more"] : []
        let lines = ["has \(tasks.count) unfinished tasks"] + shown + rest
        return Explanation(
            of: subject, .running, causes: tasks.map(\.name), lines.joined(separator: "\n"))
    }

    /// The numbers of unfinished tasks.
    public struct Counts: Sendable, Hashable {
        /// The number of all unfinished tasks.
        public var unfinished: Int { waits.values.reduce(live, +) }
        /// The number of tasks with a live body.
        public let live: Int
        /// The number of other tasks, by the event that they wait for.
        public let waits: [TaskState.Wait: Int]

        init(_ states: [TaskState]) {
            var live = 0
            var waits: [TaskState.Wait: Int] = [:]
            for state in states {
                switch state {
                case .pending(let wait), .executing(.some(let wait)): waits[wait, default: 0] += 1
                case .executing(nil): live += 1
                case .finished: break
                }
            }
            self.live = live
            self.waits = waits
        }
    }
}

extension TaskManager.Counts: CustomStringConvertible {
    /// The counts, by what the tasks wait for: `5 unfinished: 2 live, 3 waiting for slot`.
    public var description: String {
        let waiting = waits.filter { $0.value > 0 }.map { "\($0.value) waiting for \($0.key.rawValue)" }
        return "\(unfinished) unfinished: \((["\(live) live"] + waiting.sorted()).joined(separator: ", "))"
    }
}
