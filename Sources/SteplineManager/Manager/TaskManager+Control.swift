import SteplineEngine
public import SteplineSupport

extension TaskManager {
    /// All unfinished handles, in order of adding.
    public var tasks: [AnyTaskHandle] {
        core.engine.read { $0.register.tasks }.map { AnyTaskHandle($0, core) }
    }

    /// How many unfinished tasks there are, by state, as of one instant.
    public var counts: Counts {
        Counts(core.engine.read { machine in machine.register.tasks.map { machine.state(of: $0) } })
    }

    /// How many bodies may be live at once; nil: any number.
    ///
    /// Lowering it stops nothing.
    public var maximumConcurrency: Int? {
        get { core.engine.read { $0.ready.limit } }
        set { core.update(on: .other) { $0.setLimit(newValue, &$1) } }
    }

    /// Cancels all unfinished tasks, or those with a tag, and returns how many.
    @discardableResult
    public func cancelAll(tagged tag: String? = nil, _ reason: CancellationReason = .requested) -> Int {
        core.update { machine, turn in
            machine.cancelAll(reason, &turn) { record in tag.map(record.tags.contains) ?? true }
        }
    }

    /// Cancels the unfinished tasks that fit the condition, and returns how many.
    @discardableResult
    public func cancelAll(
        _ reason: CancellationReason = .requested, where fits: (AnyTaskHandle) -> Bool
    ) -> Int {
        // The condition is the caller's code, so it is asked before the lock is taken.
        let chosen = Set(tasks.filter(fits).map(\.identifier))
        return core.update { machine, turn in
            machine.cancelAll(reason, &turn) { chosen.contains($0.identifier) }
        }
    }

    /// Lets no further task begin; what executes goes on, and what is added is intercepted.
    public func pause() { core.update { $0.pause(&$1) } }

    /// Lets tasks begin again.
    public func resume() { core.update { $0.resume(&$1) } }

    /// Whether it is paused.
    public var isPaused: Bool { core.engine.read { $0.ready.isPaused } }

    /// Lets go what all interceptors hold, or the one of this name.
    public func releaseHeld(by interceptor: String? = nil) {
        core.update { machine, turn in
            for position in machine.holds.positions
            where interceptor == nil || interceptor == machine.rules.interceptors[position] {
                machine.release(by: position, &turn)
            }
        }
    }

    /// What happens from now on, in order; the stream ends when nobody reads it, and with its manager.
    ///
    /// Each access makes a stream of its own, for one reader.
    public var events: some AsyncSequence<ManagerEvent, Never> & Sendable { core.events() }

    /// Why the manager isn't idle.
    public func explain() -> Explanation {
        let tasks = tasks
        let subject = "manager \(name)"
        guard !tasks.isEmpty else { return Explanation(of: subject, .idle, "is idle") }
        let shown = tasks.prefix(20).map { $0.explain().description }
        let rest = tasks.count > 20 ? ["and \(tasks.count - 20) more"] : []
        let lines = ["has \(tasks.count) unfinished tasks"] + shown + rest
        return Explanation(
            of: subject, .running, causes: tasks.map(\.name), lines.joined(separator: "\n"))
    }

    /// How many unfinished tasks there are.
    public struct Counts: Sendable, Hashable {
        /// All of them.
        public var unfinished: Int { waits.values.reduce(live, +) }
        /// Those whose body is live.
        public let live: Int
        /// The others, by what they wait for.
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
