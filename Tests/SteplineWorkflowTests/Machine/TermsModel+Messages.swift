import SteplineWorkflow

/// The effects of each message.
extension TermsModel {
    mutating func start(_ task: Int) {
        switch tasks[task].state {
        case .pending: if tasks[task].areListenersPending { tasks[task].startsAfterNotification = true }
        case .ready: ask(task)
        case .executing, .finished, .failed, .cancelled: break
        }
    }

    private mutating func ask(_ task: Int) {
        tasks[task].isAsked = true
        tasks[task].body?.isBounded = true
        tasks[task].backsOff = false
        tasks[task].willBackOff = false
        boundGuarded(task)
    }

    /// A cleanup that is to begin waits for the bodies that it guards no longer than their grace.
    mutating func boundGuarded(_ cleanup: Int) {
        guard tasks[cleanup].isAsked, tasks[cleanup].body == nil else { return }
        for edge in plans[cleanup].edges where edge.need == .cleanUp {
            tasks[edge.prerequisite].body?.isBounded = true
        }
    }

    /// Whether it came first.
    mutating func cancel(_ targets: [Int]) -> Bool {
        let isFirst = targets.contains { isOpen($0) }
        for task in downstream(of: targets, toCleanups: false) { cancelOne(task) }
        proceed()
        return isFirst
    }

    mutating func cancelAll() -> Bool {
        let meant = plans.indices.filter { plans[$0].kind != .cleanup }
        let isFirst = meant.contains { isOpen($0) }
        for task in meant { cancelOne(task) }
        proceed()
        return isFirst
    }

    private mutating func cancelOne(_ task: Int) {
        guard isOpen(task) else { return }
        leave(task)
        tasks[task].state = .cancelled
    }

    /// Removes the task from all queues, and notifies its body.
    private mutating func leave(_ task: Int) {
        if tasks[task].isAsked, tasks[task].body == nil {
            tasks[task].ticket = nil
            tasks[task].hasPlaces = false
        }
        tasks[task].isAsked = false
        tasks[task].backsOff = false
        tasks[task].willBackOff = false
        tasks[task].isTimed = false
        tasks[task].isOverdue = false
        if tasks[task].state == .executing { tasks[task].body?.isBounded = true }
        tellNothing(task)
    }

    private mutating func tellNothing(_ task: Int) {
        tasks[task].areListenersPending = false
        tasks[task].startsAfterNotification = false
        tasks[task].tellings = tasks[task].tellings.map { _ in false }
    }

    mutating func reset(_ target: Int) {
        var changed: [Int] = []
        for task in downstream(of: [target], toCleanups: true) where !tasks[task].isForgotten {
            tasks[task].isFulfilled = false
            guard tasks[task].state != .pending else { continue }
            clear(task)
            changed.append(task)
        }
        for task in changed { follow(task, starts: false) }
        proceed()
    }

    mutating func retry(_ target: Int) {
        let reached = downstream(of: [target], toCleanups: true).filter { !tasks[$0].isForgotten }
        var changed = reached.filter { [.failed, .cancelled].contains(tasks[$0].state) }
        guard !changed.isEmpty else { return }
        for task in changed { clear(task) }
        for task in reached where tasks[task].state != .pending && !isRunnable(task) {
            clear(task)
            changed.append(task)
        }
        for task in changed { follow(task, starts: true) }
        proceed()
    }

    private mutating func clear(_ task: Int) {
        leave(task)
        tasks[task].state = .pending
        tasks[task].hasBegun = false
    }

    /// Defers the consequences of a change until its listeners are notified.
    private mutating func follow(_ task: Int, starts: Bool) {
        tasks[task].startsWhenReady = starts
        guard plans[task].isWatched else { return }
        tellNothing(task)
        tasks[task].areListenersPending = true
        tasks[task].tellings.append(true)
    }

    /// The oldest change of a task has been told.
    mutating func notified(_ task: Int) {
        guard !tasks[task].tellings.isEmpty else { return faults.append("\(task) is told of too often") }
        guard tasks[task].tellings.removeFirst() else { return }
        tasks[task].areListenersPending = false
        if tasks[task].startsAfterNotification { tasks[task].startsWhenReady = true }
        tasks[task].startsAfterNotification = false
        proceed()
    }

    mutating func fulfill(_ task: Int) -> Bool {
        guard !tasks[task].isFulfilled, !tasks[task].isForgotten else { return false }
        tasks[task].isFulfilled = true
        switch tasks[task].state {
        case .pending, .ready: start(task)
        case .executing: decide(task, .finished)
        case .failed, .cancelled: retry(task)
        case .finished: break
        }
        proceed()
        return true
    }

    /// Which of them can't be forgotten.
    mutating func forget(_ targets: [Int]) -> [Int] {
        var kept: [Int] = []
        for task in targets where !tasks[task].isForgotten {
            if isOver(task), followers(task).allSatisfy({ isOver($0.0) }) {
                tasks[task].isForgotten = true
                tasks[task].isFulfilled = false
            } else {
                kept.append(task)
            }
        }
        return kept
    }

    // MARK: Ends

    /// How an attempt ends.
    enum End: CaseIterable { case finished, failed, failedToRetry }

    mutating func reported(_ task: Int, _ attempt: Int, _ end: End) {
        guard tasks[task].attempt == attempt else { return }
        if tasks[task].state == .executing { decide(task, end) }
        tasks[task].body?.hasReported = true
        endBody(task)
        proceed()
    }

    mutating func returned(_ task: Int, _ attempt: Int, isOver: Bool = false) {
        guard tasks[task].attempt == attempt else { return }
        tasks[task].body?.hasReturned = true
        if isOver, tasks[task].state != .executing { tasks[task].body?.hasReported = true }
        endBody(task)
        proceed()
    }

    private mutating func endBody(_ task: Int) {
        if let body = tasks[task].body, body.hasReturned, body.hasReported { bodyIsOver(task) }
    }

    private mutating func bodyIsOver(_ task: Int) {
        tasks[task].body = nil
        tasks[task].hasPlaces = false
        if tasks[task].willBackOff { tasks[task].backsOff = true }
        tasks[task].willBackOff = false
        boundGuarded(task)
    }

    mutating func decide(_ task: Int, _ end: End) {
        switch end {
        case .finished: tasks[task].state = .finished
        case .failed: tasks[task].state = .failed
        case .failedToRetry:
            tasks[task].state = .ready
            tasks[task].willBackOff = tasks[task].body != nil
            tasks[task].body?.isBounded = true
            tasks[task].backsOff = tasks[task].body == nil
            return
        }
        tasks[task].isTimed = false
        tasks[task].isOverdue = false
        tasks[task].isAsked = false
        follow(task, starts: true)
        if end == .failed, cancelsOthers, isFatal(task) {
            for other in plans.indices where other != task && plans[other].kind != .cleanup {
                cancelOne(other)
            }
        }
    }

    // MARK: Time

    mutating func timeIsOver(_ task: Int, isDeadline: Bool) {
        if isDeadline {
            tasks[task].isTimed = false
            tasks[task].isOverdue = true
        } else {
            tasks[task].hasTimedOut = true
        }
    }

    /// The end of an attempt's time counts, unless the attempt has ended by itself meanwhile.
    mutating func timeOver(_ task: Int, _ attempt: Int, retries: Bool) {
        guard tasks[task].attempt == attempt, tasks[task].state == .executing else { return }
        tasks[task].body?.isBounded = true
        decide(task, retries ? .failedToRetry : .failed)
        proceed()
    }

    /// A deadline counts in each attempt and between them, unless the task has ended or was reset meanwhile.
    mutating func deadlineOver(_ task: Int) {
        guard tasks[task].isOverdue else { return }
        switch tasks[task].state {
        case .executing:
            tasks[task].body?.isBounded = true
            decide(task, .failed)
        case .ready where tasks[task].hasBegun:
            leave(task)
            decide(task, .failed)
        default: break
        }
        proceed()
    }

    mutating func backOffIsOver(_ task: Int) { ask(task) }

    mutating func graceIsOver(_ task: Int) {
        bodyIsOver(task)
        proceed()
    }

    /// Begins each task that waits for nothing; after a reset the task is only Ready.
    mutating func proceed() {
        while let next = tasks.indices.first(where: { task in
            tasks[task].state == .pending && !tasks[task].areListenersPending && isRunnable(task)
        }) {
            let starts = tasks[next].startsWhenReady
            tasks[next].startsWhenReady = true
            let guarded = plans[next].edges.map(\.prerequisite)
            if starts, plans[next].kind == .cleanup, !guarded.contains(where: { tasks[$0].hasBegun }) {
                tasks[next].state = .cancelled
            } else {
                tasks[next].state = .ready
                if starts { ask(next) }
            }
        }
        // A reset task that waits for prerequisites begins by itself when they end, notified or not.
        for task in tasks.indices where !tasks[task].areListenersPending || !isRunnable(task) {
            tasks[task].startsWhenReady = true
        }
    }
}
