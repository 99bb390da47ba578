import SteplineSupport

extension TaskManager {
    /// All unfinished handles, in order of adding.
    public var tasks: [AnyTaskHandle] { core.machine.withLock { $0.tasks }.map(AnyTaskHandle.init) }

    /// How many unfinished tasks there are, by state, as of one instant.
    public var counts: Counts {
        let states = core.machine.withLock { machine in machine.tasks.map { machine.state(of: $0) } }
        return Counts(states)
    }

    /// How many bodies may be live at once; nil: any number.
    ///
    /// Lowering it stops nothing.
    public var maximumConcurrency: Int? {
        get { core.machine.withLock { $0.maximumConcurrency } }
        set {
            core.update(on: .shared) { machine in
                machine.maximumConcurrency = newValue.map { max($0, 0) }
                machine.beginReady()
            }
        }
    }

    /// Cancels all unfinished tasks, or those with a tag, and returns how many.
    @discardableResult
    public func cancelAll(tagged tag: String? = nil, because reason: String? = nil) -> Int {
        core.update { machine in
            machine.endAll(.cancelled, reason: reason) { record in tag.map(record.tags.contains) ?? true }
        }
    }

    /// Cancels the unfinished tasks that fit the condition, and returns how many.
    @discardableResult
    public func cancelAll(because reason: String? = nil, where fits: (AnyTaskHandle) -> Bool) -> Int {
        // The condition is the caller's code, so it is asked before the lock is taken.
        let chosen = Set(tasks.filter(fits).map(\.identifier))
        return core.update { machine in
            machine.endAll(.cancelled, reason: reason) { chosen.contains($0.identifier) }
        }
    }

    /// Lets no further task begin; what executes goes on, and what is added is intercepted.
    public func pause() { core.update { $0.pause() } }

    /// Lets tasks begin again.
    public func resume() { core.update { $0.resume() } }

    /// Whether it is paused.
    public var isPaused: Bool { core.machine.withLock { $0.isPaused } }

    /// Lets go what all interceptors hold, or the one of this name.
    public func releaseHeld(by interceptor: String? = nil) {
        core.update { machine in
            for (position, name) in machine.interceptorNames.enumerated()
            where interceptor == nil || interceptor == name {
                machine.release(by: position)
            }
        }
    }

    /// What happens from now on, in order; the stream ends when nobody reads it.
    ///
    /// Each access makes a stream of its own, for one reader.
    public var events: some AsyncSequence<ManagerEvent, Never> & Sendable {
        core.machine.withLock { machine in
            let stream = EventStream<ManagerEvent>()
            machine.readers.add(stream)
            return stream
        }
    }

    /// Why the manager isn't idle, in a few sentences.
    public func explain() -> String {
        let tasks = tasks
        guard !tasks.isEmpty else { return "manager \(name) is idle" }
        let shown = tasks.prefix(20).map { $0.explain() }
        let rest = tasks.count > 20 ? ["and \(tasks.count - 20) more"] : []
        return (["manager \(name) has \(tasks.count) unfinished tasks"] + shown + rest).joined(
            separator: "\n")
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
