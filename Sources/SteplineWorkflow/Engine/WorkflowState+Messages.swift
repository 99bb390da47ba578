import SteplineSupport

/// What is sent to a task and reaches all downstream.
enum TaskMessage: Sendable { case cancel, reset, retry }

extension WorkflowState {
    /// Sends a message to tasks; each task reached changes once, and all change before anybody is told.
    ///
    /// Linear in what is reached, however many paths lead there.
    ///
    /// A cancel goes on to the workflows inside tasks, except where it comes from there.
    mutating func send(
        _ message: TaskMessage, to targets: [Int32], because reason: String? = nil,
        sparingInside: Bool = false
    ) {
        let reached = reach(targets, crossesToCleanups: message != .cancel)
        switch message {
        case .cancel:
            withdrawEndings(of: reached)
            for index in reached where !(sparingInside && targets.contains(index)) {
                cancelInside(Int(index), because: reason)
            }
            for index in reached { cancel(Int(index), because: reason) }
        case .reset: reset(reached)
        case .retry: retry(reached)
        }
        settleIfIdle()
    }

    /// The workflow inside a task is cancelled before the task is.
    private mutating func cancelInside(_ index: Int, because reason: String?) {
        guard nodes[index].flags.contains(.subworkflow), case .object(let task) = parts[index].work,
            let task = task as? SubworkflowTask
        else { return }
        due.append(.call { task.cancelInside(because: reason) })
    }

    /// Sends a message to every task.
    mutating func sendToAll(
        _ message: TaskMessage, because reason: String? = nil, cleanups: Bool = false, starts: Bool = true
    ) {
        let all = Array(0..<count)
        switch message {
        case .cancel:
            cancelReason = reason
            withdrawEndings(of: all)
            for index in all { cancelInside(Int(index), because: reason) }
            for index in all where cleanups || !nodes[Int(index)].flags.contains(.cleanup) {
                cancel(Int(index), because: reason)
            }
        case .reset: reset(all)
        case .retry: retry(all, starts: starts)
        }
        settleIfIdle()
    }

    /// The targets and all downstream: the targets first, the others in order of adding.
    mutating func reach(_ targets: [Int32], crossesToCleanups: Bool) -> [Int32] {
        lastMark &+= 1
        var reached: [Int32] = []
        for target in targets where nodes[Int(target)].mark != lastMark {
            nodes[Int(target)].mark = lastMark
            reached.append(target)
        }
        let given = reached.count
        var walked = 0
        var least = Int32.max
        var greatest = Int32.min
        while walked < reached.count {
            var next = nodes[Int(reached[walked])].firstDependent
            walked += 1
            while next >= 0 {
                let edge = edges[Int(next)]
                next = edge.next
                let dependent = Int(edge.dependent)
                guard nodes[dependent].mark != lastMark else { continue }
                if !crossesToCleanups, nodes[dependent].flags.contains(.cleanup) { continue }
                nodes[dependent].mark = lastMark
                reached.append(edge.dependent)
                least = min(least, edge.dependent)
                greatest = max(greatest, edge.dependent)
            }
        }
        let found = reached.count - given
        if given == 1, found > 1, Int(greatest) - Int(least) < 16 * found {
            // Many: to pass over all between is cheaper than to sort.
            reached.removeSubrange(1...)
            for index in least...greatest where nodes[Int(index)].mark == lastMark { reached.append(index) }
        } else {
            reached[given...].sort()
        }
        return reached
    }

    // MARK: Cancelling

    mutating func cancel(_ index: Int, because reason: String?) {
        let old = nodes[index].state
        guard old == .pending || old == .ready || old == .executing else { return }
        if old == .executing { stopBody(index) }
        leaveWaiting(index)
        let wasBlocked = nodes[index].flags.contains(.blocked)
        set(index, .cancelled)
        count(.cancelled(reason: reason), index)
        answerWaiters(index)
        tell(index, .cancelled, from: old)
        if isEnclosed { due.append(.tellOutside(.cancelled)) }
        if !wasBlocked { releaseCleanups(index) }
        recount(index)
    }

    /// The first failure for good ends everything else.
    mutating func cancelOthers(than failed: Int) {
        for other in 0..<nodes.count where other != failed && !nodes[other].flags.contains(.cleanup) {
            cancel(other, because: "another task has failed")
        }
    }

    /// A task no longer waits to begin, whatever it waited for.
    private mutating func leaveWaiting(_ index: Int) {
        if nodes[index].flags.contains(.backoff) { disarm(.attempt, of: index) }
        if nodes[index].flags.contains(.inLine) { leaveLine(index) }
        nodes[index].flags.remove(.waiting)
        if nodes[index].flags.contains(.hasOptions) { disarm(.deadline, of: index) }
    }

    /// The Executing attempt is over though its body may go on; it is told so.
    mutating func stopBody(_ index: Int) {
        let number = Int32(truncatingIfNeeded: index)
        disarm(.attempt, of: index)
        disarm(.watchdog, of: index)
        if nodes[index].flags.contains(.waitsOutside) {
            nodes[index].flags.remove(.waitsOutside)
            return
        }
        if let stop = tables.stopHandlers.removeValue(forKey: number), stop.attempt == nodes[index].attempt {
            for handler in stop.handlers { due.append(.call(handler)) }
        }
        guard nodes[index].live == nodes[index].attempt else { return }
        if nodes[index].flags.contains(.endsByCall) { nodes[index].flags.insert(.unreported) }
        if nodes[index].flags.contains(.letGo) {
            bodyEnded(index)
        } else if !nodes[index].flags.contains(.hasReturned) {
            nodes[index].flags.insert(.bodyIsDone)
            armAbandon(index)
        } else {
            armAbandon(index)
        }
    }

    // MARK: Resetting and retrying

    private mutating func reset(_ reached: [Int32]) {
        var changed: [(Int32, WorkflowTask.State)] = []
        for number in reached where nodes[Int(number)].state != .pending {
            changed.append((number, nodes[Int(number)].state))
            clear(Int(number))
            if nodes[Int(number)].flags.contains(.condition) { nodes[Int(number)].flags.remove(.fulfilled) }
            count(.reset, Int(number))
        }
        for number in reached where nodes[Int(number)].flags.contains(.condition) {
            nodes[Int(number)].flags.remove(.fulfilled)
            tables.fulfilments[number] = nil
        }
        reassess(reached)
        for (number, old) in changed { announce(number, .reset, from: old, starts: false) }
    }

    private mutating func retry(_ reached: [Int32], starts: Bool = true) {
        var changed: [(Int32, WorkflowTask.State)] = []
        for number in reached {
            let state = nodes[Int(number)].state
            guard state == .failed || state == .cancelled else { continue }
            changed.append((number, state))
            clear(Int(number))
            count(.retried, Int(number))
        }
        // What ran because it allowed a failure must run again after what failed.
        var undone: [(Int32, WorkflowTask.State)] = []
        reassess(reached) { state, index in
            let old = state.nodes[index].state
            undone.append((Int32(truncatingIfNeeded: index), old))
            state.clear(index)
            state.count(.reset, index)
        }
        for (number, old) in changed { announce(number, .retried, from: old, starts: starts) }
        for (number, old) in undone { announce(number, .reset, from: old, starts: starts) }
    }

    /// Takes a task back to Pending, without telling anybody.
    mutating func clear(_ index: Int) {
        let old = nodes[index].state
        if old == .executing { stopBody(index) }
        leaveWaiting(index)
        if old == .finished || nodes[index].flags.contains(.notNeeded), isLeaf(index) {
            unfinishedLeaves += 1
        }
        if nodes[index].flags.contains(.notNeeded) { tables.notNeeded -= 1 }
        set(index, .pending)
        parts[index].value = nil
        nodes[index].flags.remove([.released, .began, .notNeeded])
        tables.forgetTries(Int32(truncatingIfNeeded: index))
        recount(index)
    }

    /// Finds anew what the tasks wait for; `undo` gets those that have run though they should wait again.
    ///
    /// Tasks come in order of adding, so that prerequisites are settled before their dependents.
    private mutating func reassess(
        _ reached: [Int32], undo: ((inout WorkflowState, Int) -> Void)? = nil
    ) {
        for number in inOrder(reached) {
            let index = Int(number)
            var missing: Int32 = 0
            var isBlocked = false
            var byFailure = false
            var allows = false
            for place in edgeRange(index) {
                let edge = edges[place]
                allows = allows || edge.allowsFailure || edge.guards
                guard !isSatisfied(edge) else { continue }
                missing += 1
                if edge.guards { continue }
                let node = nodes[Int(edge.prerequisite)]
                if node.state == .failed || node.flags.contains(.blockedByFailure) { byFailure = true }
                if node.state == .failed || node.state == .cancelled || node.flags.contains(.blocked) {
                    isBlocked = isBlocked || node.state != .failed || !edge.allowsFailure
                }
            }
            nodes[index].missing = missing
            if allows, missing > 0, let undo {
                let state = nodes[index].state
                if state != .pending, state != .cancelled { undo(&self, index) }
            }
            setBlocked(index, isBlocked, byFailure: byFailure)
        }
    }

    private func inOrder(_ reached: [Int32]) -> [Int32] {
        zip(reached, reached.dropFirst()).allSatisfy(<) ? reached : reached.sorted()
    }

    private mutating func setBlocked(_ index: Int, _ blocked: Bool, byFailure: Bool) {
        let isPending = nodes[index].state == .pending
        let was = nodes[index].flags.contains(.blocked)
        if blocked, isPending {
            nodes[index].flags.insert(byFailure ? [.blocked, .blockedByFailure] : .blocked)
            let faults = readers.isEmpty || was ? [] : faults(of: index)
            if !was { count(.blocked(by: faults), index) }
        } else if was {
            nodes[index].flags.remove([.blocked, .blockedByFailure])
            if isPending { count(.unblocked, index) }
        }
    }

    /// Tells of a reset or retry, and makes the task Ready after that if nothing holds it back.
    private mutating func announce(
        _ number: Int32, _ kind: TaskChange.Kind, from old: WorkflowTask.State, starts: Bool
    ) {
        let index = Int(number)
        guard nodes[index].state == .pending else { return }
        tell(index, kind, from: old)
        guard nodes[index].missing == 0 else { return }
        if isTold(index) {
            nodes[index].flags.insert(.readyDue)
            due.append(.ready(number, attempt: nodes[index].attempt, starts: starts))
            recount(index)
        } else {
            becomeReady(index, starts: starts)
        }
    }

    /// A task that was reset or retried has been told off.
    mutating func toldOff(_ number: Int32, attempt: UInt32, starts: Bool) {
        let index = Int(number)
        guard nodes[index].flags.contains(.readyDue), nodes[index].attempt == attempt else { return }
        nodes[index].flags.remove(.readyDue)
        guard nodes[index].state == .pending, nodes[index].missing == 0 else {
            return recount(index)
        }
        recount(index)
        becomeReady(index, starts: starts)
    }
}
