import SteplineSupport

/// A task to be added.
struct NewTask {
    var work: TaskPart.Work
    var name: String
    var options: TaskOptions
    var flags: TaskNode.Flags = []
    var keys: [PrerequisiteKey: Int32] = [:]
    var unkeyed: [Int32] = []
    /// What an object brings along that has been in another workflow.
    var past: TaskPast?
}

/// What a task has behind it that isn't in a workflow.
struct TaskPast {
    var state = WorkflowTask.State.ready
    var attempt: UInt32 = 0
    var value: (any Sendable)?
    var finishDate: Double = 0
    var isFulfilled = false
    var fulfilment: (any Sendable)?
}

extension WorkflowState {
    /// Adds a task and its prerequisites, which are in already, each once; returns its number.
    mutating func add(
        _ work: consuming TaskPart.Work, name: consuming String, options given: borrowing TaskOptions,
        flags: TaskNode.Flags, prerequisites: UnsafeBufferPointer<Int32>, allowing: Set<Int32>? = nil
    ) -> Int32 {
        let index = nodes.count
        let number = Int32(truncatingIfNeeded: index)
        let firstEdge = edges.count
        var missing: Int32 = 0
        for prerequisite in prerequisites {
            var edge = TaskEdge(prerequisite: prerequisite, dependent: number)
            if let allowing, allowing.contains(prerequisite) { edge.allowsFailure = true }
            if flags.contains(.cleanup) { edge.guards = true }
            if !isSatisfied(edge) { missing += 1 }
            link(edge)
        }
        var node = TaskNode()
        node.missing = missing
        node.flags = flags
        node.state = missing == 0 ? .ready : .pending
        counts[node.state] += 1
        nodes.append(node)
        parts.append(
            TaskPart(
                work: work, firstEdge: Int32(truncatingIfNeeded: firstEdge),
                edgeCount: Int32(truncatingIfNeeded: edges.count - firstEdge)
            )
        )
        names.append(name)
        unfinishedLeaves += 1
        if !given.isDefault || options.watchdog != nil { keep(copy given, number) }
        if options.requiresUniqueNames { tables.taken[self.name(index)] = number }
        eventCount &+= 1
        if isHeard { emit(.added, index) }
        if missing > 0 { wasAddedPending(index) }
        if isRunning, missing == 0 { startReady(index) }
        return number
    }

    /// Adds a task that has an object, with its keys and what it brings along.
    @discardableResult
    mutating func add(_ new: NewTask, prerequisites: [Int32], allowing: Set<Int32>?) -> Int32 {
        let runs = isRunning
        isRunning = false
        let number = prerequisites.withUnsafeBufferPointer {
            add(
                new.work, name: new.name, options: new.options, flags: new.flags, prerequisites: $0,
                allowing: allowing
            )
        }
        isRunning = runs
        if !new.keys.isEmpty {
            tables.keys[number] = new.keys
            tables.unkeyed[number] = new.unkeyed
        }
        if let past = new.past { takeOver(past, Int(number)) }
        if runs, nodes[Int(number)].state == .ready { startReady(Int(number)) }
        return number
    }

    @inline(__always)
    private mutating func link(_ edge: TaskEdge) {
        let place = Int32(truncatingIfNeeded: edges.count)
        edges.append(edge)
        let upstream = Int(edge.prerequisite)
        let last = nodes[upstream].lastDependent
        if last >= 0 {
            edges[Int(last)].next = place
        } else {
            nodes[upstream].firstDependent = place
        }
        if !edge.guards, !nodes[upstream].flags.contains(.hasDependents) {
            nodes[upstream].flags.insert(.hasDependents)
            // It was a leaf, and isn't any more.
            if nodes[upstream].state != .finished { unfinishedLeaves -= 1 }
        }
        nodes[upstream].lastDependent = place
    }

    private mutating func wasAddedPending(_ index: Int) {
        count(.pending, index)
        guard counts[.failed] + counts[.cancelled] > 0 else { return }
        let upstream = edgeRange(index).map { edges[$0] }.filter { !isSatisfied($0) && !$0.guards }
        let isBlocked = upstream.contains { edge in
            let node = nodes[Int(edge.prerequisite)]
            if node.state == .failed { return !edge.allowsFailure }
            return node.state == .cancelled || node.flags.contains(.blocked)
        }
        guard isBlocked else { return }
        let byFailure = upstream.contains { edge in
            let node = nodes[Int(edge.prerequisite)]
            return node.state == .failed || node.flags.contains(.blockedByFailure)
        }
        nodes[index].flags.insert(byFailure ? [.blocked, .blockedByFailure] : .blocked)
        let faults = readers.isEmpty ? [] : faults(of: index)
        count(.blocked(by: faults), index)
    }

    private mutating func keep(_ given: TaskOptions, _ number: Int32) {
        var kept = given
        if kept.watchdog == nil { kept.watchdog = options.watchdog }
        tables.options[number] = kept
        nodes[Int(number)].flags.insert(.hasOptions)
        nodes[Int(number)].priority = given.priority.rawValue
        if !kept.pools.isEmpty { nodes[Int(number)].flags.insert(.hasPools) }
    }

    private mutating func takeOver(_ past: TaskPast, _ index: Int) {
        nodes[index].attempt = past.attempt
        if past.isFulfilled {
            nodes[index].flags.insert(.fulfilled)
            tables.fulfilments[Int32(truncatingIfNeeded: index)] = past.fulfilment
        }
        guard past.state == .finished || past.state == .failed || past.state == .cancelled else { return }
        set(index, past.state)
        parts[index].value = past.value
        parts[index].endedAt = Int64((past.finishDate - calendar) * 1e9)
        nodes[index].flags.insert(.released)
        if past.state == .finished { unfinishedLeaves -= 1 }
    }

    /// Whether a body that was about to begin may still do so.
    func mayBegin(_ job: TaskJob) -> Bool {
        let node = nodes[Int(job.index)]
        return node.state == .executing && node.attempt == job.attempt
    }

    /// The object of a task, if it has one.
    func object(_ number: Int32) -> WorkflowTask? {
        guard number < count else { return nil }
        if case .object(let task) = parts[Int(number)].work { return task }
        return tables.faces[number]
    }
}
