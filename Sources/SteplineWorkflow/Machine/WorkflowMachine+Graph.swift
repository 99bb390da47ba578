import SteplineEngine
import SteplineSupport

/// Adding tasks, and what their prerequisites do to them.
///
/// A task has a count of prerequisites that aren't satisfied; it becomes Ready when the count is 0. A Pending task also
/// has a blockage: whether a failure or cancellation upstream keeps it from ever running by itself. Both are kept up to
/// date by walks from the task that has changed. Each failure walks its dependents only as far as they weren't blocked
/// before, so all failures together cost O(V + E).
extension WorkflowMachine {
    // MARK: Adding

    /// Returns why a task of that name can't be added behind its prerequisites; nil if it can.
    func refusal(
        of name: String, after prerequisites: UnsafeBufferPointer<Int32>, isCleanup: Bool
    ) -> Refusal? {
        if rare.hasCleanups, !isCleanup,
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

    /// Adds a task behind its prerequisites, each given once, and returns its number; in a run a Ready task `starts`.
    mutating func add(
        _ work: consuming TaskPart.Work, of resultType: (any Sendable.Type)? = nil,
        _ name: consuming String, _ given: borrowing TaskOptions,
        _ traits: TaskNode.Traits, after prerequisites: UnsafeBufferPointer<Int32>,
        allowing: Set<Int32>? = nil, starts: Bool = true, _ turn: inout WorkflowTurn
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
            // A task that only cleanups depend on stays a leaf.
            if !isCleanup { tasks.hasDependent(edge.prerequisite) }
        }
        append(work, resultType, name, given, traits, number, missing: missing)
        if isCleanup { rare.hasCleanups = true }
        logEvent(.added, number, turn)
        if missing > 0 {
            logEvent(.pending, number, turn)
            // Without such a task nothing upstream blocks: usually no prerequisite has to be looked at.
            if tasks.counts[.failed] + tasks.counts[.cancelled] > 0 { updateBlockage(number, &turn) }
        }
        if starts, run.isRunning, tasks[number].state == .ready { startInRun(number, &turn) }
        return number
    }

    /// Adds a task that has an object, with its keys and its state from before.
    mutating func add(
        _ task: WorkflowTask, _ name: String, _ given: TaskOptions, _ own: ObjectTraits,
        after prerequisites: UnsafeBufferPointer<Int32>, allowing: Set<Int32>?, past: TaskPast?,
        _ turn: inout WorkflowTurn
    ) {
        let number = tasks.count
        if !own.keys.isEmpty {
            rare.keys[number] = own.keys
            rare.unkeyed[number] = own.unkeyed
        }
        if own.failsUnfulfilled { rare.failingConditions.insert(number) }
        if own.isDelay { rare.delays.insert(number) }
        if own.isMap { rare.maps.append(number) }
        if let past, past.isFulfilled { rare.fulfilments[number] = .some(past.fulfilment) }
        // A task that has ended elsewhere must not be started here before that is known.
        let hasPast = past.map { $0.state != .ready || $0.attempt > 0 } ?? false
        _ = add(
            .object(task), name, given, own.traits, after: prerequisites, allowing: allowing,
            starts: !hasPast, &turn)
        guard hasPast, let past else { return }
        tasks.takeOver(past, number, endedAt: eventLog.instant(past.finishDate))
        if run.isRunning, tasks[number].state == .ready { start(number, &turn) }
    }

    @inline(__always)
    private mutating func append(
        _ work: consuming TaskPart.Work, _ resultType: (any Sendable.Type)?, _ name: consuming String,
        _ given: borrowing TaskOptions, _ traits: TaskNode.Traits, _ number: Int32, missing: Int32
    ) {
        var node = TaskNode()
        node.traits = traits
        // A condition has no body to run in a queue.
        if hasQueue, !traits.contains(.condition) { node.traits.insert(.isExternal) }
        if journaling != nil { node.traits.insert(.durable) }
        node.missing = missing
        node.state = missing == 0 ? .ready : .pending
        if !given.isDefault || options.watchdog != nil { setOptions(copy given, of: number, &node) }
        tasks.append(node, work, resultType)
        names.append(name)
        if options.requiresUniqueNames {
            // The default name contains the number, which is known only here.
            let name = self.name(number)
            names.take(name, for: number)
        }
    }

    private mutating func setOptions(
        _ given: TaskOptions, of number: Int32, _ node: inout TaskNode
    ) {
        node.traits.insert(.hasRareState)
        node.priority = given.priority
        if !given.pools.isEmpty { node.traits.insert(.hasPools) }
        if given.cacheLifetime != nil, node.traits.isDisjoint(with: [.subworkflow, .condition]) {
            node.traits.insert(.cached)
        }
        rare.options.set(given, of: number)
    }

    /// Has attempts of the task take a place of the pool from now on; a task that waits for what is inside takes none.
    mutating func require(_ pool: ConcurrencyPool, _ number: Int32) {
        guard tasks[number].traits.isDisjoint(with: [.subworkflow, .condition]) else { return }
        var given = rare.options[number] ?? TaskOptions()
        given.pools[pool] = 1
        rare.options.set(given, of: number)
        tasks.insert([.hasRareState, .hasPools], number)
    }

    // MARK: Prerequisites

    /// Whether an edge holds its dependent back no longer.
    @inline(__always)
    func isSatisfied(_ edge: TaskEdge) -> Bool {
        let upstream = tasks[edge.prerequisite]
        switch edge.kind {
        // Released: the listeners of the end were notified. A dependent that a listener adds waits for that, too.
        case .needs: return upstream.state == .finished && upstream.isReleased
        // A failure upstream of the prerequisite counts like its own, as it will never run. The prerequisite is then
        // Pending and gives the dependent no result; `blockDependents` has walked past it to this edge.
        case .allowsFailure: return upstream.isReleased || upstream.blockage == .failure
        case .guards:
            return upstream.isReleased || upstream.blockage != .none || upstream.state == .cancelled
        }
    }

    /// Satisfies the edges of these kinds to the dependents of a task.
    @inline(__always)
    mutating func releaseDependents(
        _ number: Int32, _ turn: inout WorkflowTurn, where isMeant: (TaskEdge.Kind) -> Bool
    ) {
        // By places: an iterator would retain the array of edges at each end of a task.
        var place = graph.firstDependent(of: number)
        if place >= 0, graph.edge(at: place).next >= 0 { prefetchDependents(from: place) }
        while place >= 0 {
            let edge = graph.edge(at: place)
            place = edge.next
            if isMeant(edge.kind) { satisfy(edge.dependent, &turn) }
        }
    }

    /// Loads dependents into the processor's cache: the misses then overlap, instead of following each other.
    private func prefetchDependents(from first: Int32) {
        var place = first
        // Of more dependents, the first would be evicted again.
        for _ in 0..<32 where place >= 0 {
            let edge = graph.edge(at: place)
            tasks.prefetchNode(edge.dependent)
            place = edge.next
        }
    }

    /// A task was cancelled: its cleanups wait for it no longer.
    mutating func releaseCleanups(_ number: Int32, _ turn: inout WorkflowTurn) {
        guard rare.hasCleanups else { return }
        releaseDependents(number, &turn) { $0 == .guards }
    }

    @inline(__always)
    private mutating func satisfy(_ dependent: Int32, _ turn: inout WorkflowTurn) {
        guard tasks.satisfyOne(dependent) else { return }
        if tasks[dependent].facts.contains(.listenersPending) {
            // The task was put back, and its listeners come first.
            rare.startsWhenNotified.insert(dependent)
        } else {
            becomeReady(dependent, starts: true, &turn)
        }
    }

    // MARK: Blockage

    /// The reason by which one edge keeps a task from running.
    func blockage(by edge: TaskEdge) -> TaskNode.Blockage {
        let upstream = tasks[edge.prerequisite]
        guard edge.kind != .guards else { return .none }
        switch upstream.state {
        case .failed: return edge.kind == .allowsFailure ? .none : .failure
        // To allow a failure isn't to allow a cancellation.
        case .cancelled: return .cancellation
        case .pending:
            return edge.kind == .allowsFailure && upstream.blockage == .failure ? .none : upstream.blockage
        case .ready, .executing, .finished: return .none
        }
    }

    /// The reason that keeps a Pending task from running, by the present states of its prerequisites.
    func blockage(of number: Int32) -> TaskNode.Blockage {
        guard tasks[number].state == .pending else { return .none }
        return graph.places(of: number).reduce(.none) { max($0, blockage(by: graph.edge(at: $1))) }
    }

    /// Updates the blockage of a task from its prerequisites, and logs an event if that has changed.
    mutating func updateBlockage(_ number: Int32, _ turn: inout WorkflowTurn) {
        let blockage = blockage(of: number)
        let old = tasks[number].blockage
        guard blockage != old else { return }
        tasks.setBlockage(blockage, number)
        // Between the two kinds of blockage there is no event: readers know that the task is blocked.
        if old == .none {
            let blockers = blockerNames(of: number)
            logEvent(.blocked(by: blockers), number, turn)
        } else if blockage == .none, tasks[number].state == .pending {
            logEvent(.unblocked, number, turn)
        }
    }

    /// The names of the direct prerequisites that keep a blocked task from running.
    private func blockerNames(of number: Int32) -> [String] {
        guard eventLog.hasReaders else { return [] }
        return graph.places(of: number).map { graph.edge(at: $0) }
            .filter { blockage(by: $0) != .none }.map { name($0.prerequisite) }
    }

    /// A task has failed for good: blocks what needs it downstream, and releases what allows that to be blocked.
    ///
    /// Stops at tasks that a failure blocked before.
    mutating func blockDependents(_ number: Int32, _ turn: inout WorkflowTurn) {
        let cause = eventLog.hasReaders ? [name(number)] : []
        var toVisit = [(number: number, isNew: false)]
        var cleanups: [Int32] = []
        while let (visited, isNew) = toVisit.popLast() {
            for edge in graph.edges(from: visited) {
                let dependent = tasks[edge.dependent]
                guard dependent.state == .pending else { continue }
                switch edge.kind {
                // A task that a cancellation blocked before counted as over for its cleanups then.
                case .guards: if isNew { cleanups.append(edge.dependent) }
                // The direct dependents that allow this failure wait for its listeners: `follow` releases them.
                case .allowsFailure where visited == number: break
                case .allowsFailure:
                    unblock(edge.dependent, &turn)
                    satisfy(edge.dependent, &turn)
                case .needs where dependent.blockage == .failure: break
                case .needs:
                    tasks.setBlockage(.failure, edge.dependent)
                    let isNew = dependent.blockage == .none
                    if isNew { logEvent(.blocked(by: cause), edge.dependent, turn) }
                    // A Swift task that awaits the end of a blocked task would wait forever.
                    wakeWaiters(edge.dependent, &turn)
                    toVisit.append((edge.dependent, isNew))
                }
            }
        }
        // After the walk: another task that the cleanup guards may run by this failure.
        for cleanup in cleanups { satisfy(cleanup, &turn) }
    }

    /// Unblocks tasks below a cancellation that has become an allowed failure.
    ///
    /// A cleanup that counted such a task as over waits for it again.
    private mutating func unblock(_ number: Int32, _ turn: inout WorkflowTurn) {
        var toVisit = [number]
        while let visited = toVisit.popLast() {
            guard tasks[visited].state == .pending, tasks[visited].blockage != .none else { continue }
            // If a failure blocks the task by now, the walk from that failure has logged it, and all downstream.
            guard blockage(of: visited) == .none else { continue }
            tasks.setBlockage(.none, visited)
            logEvent(.unblocked, visited, turn)
            for edge in graph.edges(from: visited) {
                if edge.kind != .guards {
                    toVisit.append(edge.dependent)
                } else if tasks[edge.dependent].state == .pending {
                    tasks.setMissing(tasks[edge.dependent].missing + 1, edge.dependent)
                }
            }
        }
    }

    // MARK: Queues

    /// The workflow has got an operation queue, or has none any more.
    mutating func updateQueue(_ hasOwn: Bool) {
        hasQueue = hasOwn || options.executor != nil
        for number in tasks.all { updateQueue(of: number, hasOwn: object(number)?.queue != nil) }
    }

    /// A task has got an operation queue, or has none any more; holds from its next attempt on.
    mutating func updateQueue(of number: Int32, hasOwn: Bool) {
        if hasOwn || hasQueue, !tasks[number].traits.contains(.condition) {
            tasks.insert(.isExternal, number)
        } else {
            tasks.remove(.isExternal, number)
        }
    }
}
