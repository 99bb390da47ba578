import SteplineEngine
import SteplineSupport

/// What is to be known of a task with an object beside what all have.
struct ObjectTerms {
    var traits: TaskNode.Traits
    var keys: [PrerequisiteKey: Int32] = [:]
    var unkeyed: [Int32] = []
    /// Whether it is a condition that fails when it runs unfulfilled.
    var failsUnfulfilled = false
}

/// Why a task isn't taken in.
enum Refusal {
    case nameIsTaken
    case follows(cleanup: String)
    case followsForgotten(String)
    case runsAlone
    case isKept
}

extension WorkflowMachine {
    /// Why a task of that name can't be added after its prerequisites, if it can't.
    func refusal(
        of name: String, after prerequisites: UnsafeBufferPointer<Int32>, isCleanup: Bool
    ) -> Refusal? {
        if terms.hasCleanups, !isCleanup,
            let cleanup = prerequisites.first(where: { tasks[$0].traits.contains(.cleanup) })
        {
            return .follows(cleanup: self.name(cleanup))
        }
        if tasks.forgotten > 0,
            let gone = prerequisites.first(where: { tasks[$0].facts.contains(.forgotten) })
        {
            return .followsForgotten(self.name(gone))
        }
        if journaling?.isAlone == true { return .runsAlone }
        // A restored body doesn't run: the next process would lack the task, and end without it.
        if journaling != nil, !hasElements { return .isKept }
        return names.isTaken(name) ? .nameIsTaken : nil
    }

    /// Adds a task behind its prerequisites, each given once, and returns its number.
    mutating func add(
        _ work: consuming TaskPart.Work, of resultType: (any Sendable.Type)? = nil,
        _ name: consuming String, _ given: borrowing TaskOptions,
        _ traits: TaskNode.Traits, after prerequisites: UnsafeBufferPointer<Int32>,
        allowing: Set<Int32>? = nil, _ turn: inout WorkflowTurn
    ) -> Int32 {
        let isCleanup = traits.contains(.cleanup)
        let number = graph.add(after: prerequisites) { prerequisite in
            if isCleanup { return .guards }
            return allowing?.contains(prerequisite) == true ? .allowsFailure : .needs
        }
        var missing: Int32 = 0
        for place in graph.places(of: number) {
            let edge = graph.edge(at: place)
            if !isSatisfied(edge) { missing += 1 }
            if !isCleanup { tasks.hasDependent(edge.prerequisite) }
        }
        append(work, resultType, name, given, traits, number, missing: missing)
        if isCleanup { terms.hasCleanups = true }
        count(.added, number, turn)
        if missing > 0 { wasAddedPending(number, &turn) }
        if run.isRunning, tasks[number].state == .ready { startInRun(number, &turn) }
        return number
    }

    /// Adds a task that has an object, with its keys and what it brings along.
    mutating func add(
        _ task: WorkflowTask, _ name: String, _ given: TaskOptions, _ own: ObjectTerms,
        after prerequisites: UnsafeBufferPointer<Int32>, allowing: Set<Int32>?, past: TaskPast?,
        _ turn: inout WorkflowTurn
    ) {
        let number = tasks.count
        if !own.keys.isEmpty {
            terms.keys[number] = own.keys
            terms.unkeyed[number] = own.unkeyed
        }
        if own.failsUnfulfilled { terms.failingConditions.insert(number) }
        if let past, past.isFulfilled { terms.fulfilments[number] = .some(past.fulfilment) }
        // A task that has ended elsewhere must not be started here before that is known.
        let hasPast = past.map { $0.state != .ready || $0.attempt > 0 } ?? false
        let isRunning = run.isRunning
        if hasPast { run.hold() }
        _ = add(.object(task), name, given, own.traits, after: prerequisites, allowing: allowing, &turn)
        guard hasPast, let past else { return }
        tasks.takeOver(past, number, endedAt: story.instant(past.finishDate))
        if isRunning { run.goOn() }
        if isRunning, tasks[number].state == .ready { start(number, &turn) }
    }

    @inline(__always)
    private mutating func append(
        _ work: consuming TaskPart.Work, _ resultType: (any Sendable.Type)?, _ name: consuming String,
        _ given: borrowing TaskOptions, _ traits: TaskNode.Traits, _ number: Int32, missing: Int32
    ) {
        var node = TaskNode()
        node.traits = traits
        if hasQueue, !traits.contains(.condition) { node.traits.insert(.isHanded) }
        if journaling != nil { node.traits.insert(.durable) }
        node.missing = missing
        node.state = missing == 0 ? .ready : .pending
        if !given.isDefault || options.watchdog != nil { setTerms(copy given, of: number, &node) }
        tasks.append(node, work, resultType)
        names.append(name)
        if options.requiresUniqueNames {
            let name = self.name(number)
            names.take(name, for: number)
        }
    }

    private mutating func setTerms(
        _ given: TaskOptions, of number: Int32, _ node: inout TaskNode
    ) {
        node.traits.insert(.hasTerms)
        node.priority = given.priority
        if !given.pools.isEmpty { node.traits.insert(.hasPools) }
        if given.cacheLifetime != nil, node.traits.isDisjoint(with: [.subworkflow, .condition]) {
            node.traits.insert(.cached)
        }
        var own = given
        if own.watchdog == nil { own.watchdog = options.watchdog }
        terms.own[number] = TaskTerms.Own(options: own)
    }

    /// Attempts of the task take a place of that pool from now on; one that waits for what is inside it takes none.
    mutating func require(_ pool: ConcurrencyPool, _ number: Int32) {
        guard tasks[number].traits.isDisjoint(with: [.subworkflow, .condition]) else { return }
        var given = terms.own[number]?.options ?? TaskOptions()
        given.pools[pool] = 1
        terms.own[number, default: TaskTerms.Own(options: given)].options = given
        tasks.insert([.hasTerms, .hasPools], number)
    }

    /// Whether an edge holds its dependent back no longer.
    @inline(__always)
    func isSatisfied(_ edge: TaskEdge) -> Bool {
        let upstream = tasks[edge.prerequisite]
        switch edge.kind {
        case .needs: return upstream.state == .finished && upstream.isReleased
        case .allowsFailure: return upstream.isReleased || upstream.hindrance == .failure
        case .guards:
            return upstream.isReleased || upstream.hindrance != .none || upstream.state == .cancelled
        }
    }

    /// What keeps a task from running, as far as this edge goes.
    func hindrance(by edge: TaskEdge) -> TaskNode.Hindrance {
        let upstream = tasks[edge.prerequisite]
        guard edge.kind != .guards else { return .none }
        switch upstream.state {
        case .failed: return edge.kind == .allowsFailure ? .none : .failure
        case .cancelled: return .cancellation
        case .pending:
            return edge.kind == .allowsFailure && upstream.hindrance == .failure ? .none : upstream.hindrance
        case .ready, .executing, .finished: return .none
        }
    }

    private mutating func wasAddedPending(_ number: Int32, _ turn: inout WorkflowTurn) {
        count(.pending, number, turn)
        guard tasks.counts[.failed] + tasks.counts[.cancelled] > 0 else { return }
        assessHindrance(number, &turn)
    }

    /// Finds out anew what keeps a Pending task from running, and tells if that has changed.
    mutating func assessHindrance(_ number: Int32, _ turn: inout WorkflowTurn) {
        let hindrance = hindrance(of: number)
        let old = tasks[number].hindrance
        guard hindrance != old else { return }
        tasks.setHindrance(hindrance, number)
        if old == .none {
            let faults = faults(of: number)
            count(.blocked(by: faults), number, turn)
        } else if hindrance == .none, tasks[number].state == .pending {
            count(.unblocked, number, turn)
        }
    }

    /// What keeps a Pending task from running, as its prerequisites stand now.
    func hindrance(of number: Int32) -> TaskNode.Hindrance {
        guard tasks[number].state == .pending else { return .none }
        return graph.places(of: number).reduce(.none) { max($0, hindrance(by: graph.edge(at: $1))) }
    }

    /// The names of the direct prerequisites that keep a blocked task from running.
    func faults(of number: Int32) -> [String] {
        guard story.isRead else { return [] }
        return graph.places(of: number).compactMap { place in
            let edge = graph.edge(at: place)
            return hindrance(by: edge) == .none ? nil : name(edge.prerequisite)
        }
    }
}

extension WorkflowMachine {
    /// Whether some task runs a workflow.
    var hasSubworkflows: Bool { tasks.all.contains { tasks[$0].traits.contains(.subworkflow) } }

    /// The workflow has got a queue, or has none any more.
    mutating func heedQueue(_ hasOwn: Bool) {
        hasQueue = hasOwn || options.executor != nil
        let all = tasks.all
        for number in all {
            let hasOwn = object(number)?.queue != nil
            heedQueue(of: number, hasOwn: hasOwn)
        }
    }

    /// A task has got a queue, or has none any more; holds from its next attempt on.
    mutating func heedQueue(of number: Int32, hasOwn: Bool) {
        if hasOwn || hasQueue, !tasks[number].traits.contains(.condition) {
            tasks.insert(.isHanded, number)
        } else {
            tasks.remove(.isHanded, number)
        }
    }
}
