import SteplineWorkflow

extension RunTrace {
    /// The events that violate the order of every valid run, one line each.
    ///
    /// An attempt starts after the previous one and all prerequisites have ended, and within its limits. It never
    /// starts while a more urgent task waits for the same slot. It ends once.
    package var disorders: [String] { parts.flatMap(\.disorders) }
}

extension RunTrace.Part {
    fileprivate var disorders: [String] {
        var order = EventOrder(of: self)
        for (name, event) in events where event.task != nil { order.take(name, event) }
        return order.disorders
    }
}

/// The states of a workflow's tasks, derived from the events so far.
private struct EventOrder {
    private let part: RunTrace.Part
    /// The numbers of the running attempts.
    private var running: [String: Int] = [:]
    /// The numbers of the ended attempts, whether or not another may follow.
    private var ended: [String: Int] = [:]
    /// The tasks that are ready.
    private var ready: Set<String> = []
    /// The tasks that have ended or are blocked, so that their dependents may continue.
    private var settled: Set<String> = []
    private(set) var disorders: [String] = []

    init(of part: RunTrace.Part) { self.part = part }

    mutating func take(_ name: String, _ event: WorkflowEvent) {
        switch event.kind {
        case .ready: ready.insert(name)
        case .pending: ready.remove(name)
        case .started: start(name, event.attempt)
        case .finished, .failed: end(name, event.attempt, true)
        case .attemptFailed: end(name, event.attempt, false)
        case .cancelled, .reset:
            ready.remove(name)
            running[name] = nil
            ended[name] = event.attempt
            if case .reset = event.kind { settled.remove(name) } else { settled.insert(name) }
        case .retried, .unblocked: settled.remove(name)
        case .blocked: settled.insert(name)
        default: break
        }
    }

    private mutating func find(_ name: String, _ text: String) { disorders.append("\(name) \(text)") }

    private mutating func end(_ name: String, _ attempt: Int, _ isSettled: Bool) {
        // A condition fulfilled in advance, and a step that was never started, end without having run.
        if let number = running.removeValue(forKey: name) {
            if number != attempt { find(name, "ended attempt \(attempt) while \(number) ran") }
        } else if ended[name] == attempt, attempt > 0 {
            find(name, "ended attempt \(attempt) twice")
        }
        ended[name] = attempt
        if isSettled { settled.insert(name) }
    }

    private mutating func start(_ name: String, _ attempt: Int) {
        guard let task = part.tasks[name] else { return }
        if let number = running[name] { find(name, "began attempt \(attempt) while \(number) ran") }
        if let last = ended[name], attempt != last + 1 {
            find(name, "began attempt \(attempt) after \(last)")
        }
        if settled.contains(name) { find(name, "began once more after its end") }
        for before in task.prerequisites where !settled.contains(before) {
            find(name, "began before \(before) had ended")
        }
        ready.remove(name)
        running[name] = attempt
        checkLimits(name, task)
        // A task that waits for a pool may be overtaken by tasks that need no pool.
        guard part.maximumConcurrency == 1, task.options.pools.isEmpty else { return }
        for other in ready.sorted() {
            guard let options = part.tasks[other]?.options, options.pools.isEmpty,
                options.priority > task.options.priority
            else { continue }
            find(name, "began before \(other), which is more urgent")
        }
    }

    private mutating func checkLimits(_ name: String, _ task: RunTrace.Task) {
        guard task.hasBody else { return }
        let live = running.keys.compactMap { part.tasks[$0] }.filter(\.hasBody)
        if let most = part.maximumConcurrency, live.count > most {
            find(name, "began beside \(live.count - 1) others, with a limit of \(most)")
        }
        for pool in task.options.pools.keys {
            let taken = live.reduce(0) { $0 + ($1.options.pools[pool] ?? 0) }
            if taken > pool.capacity {
                find(name, "has begun with \(taken) places of a pool of \(pool.capacity) taken")
            }
        }
    }
}
