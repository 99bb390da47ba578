import SteplineSupport

extension Workflow {
    /// Says why a task is where it is, and what it waits for.
    public func explain(_ task: WorkflowTask) -> TaskExplanation {
        guard let place = task.place(in: core) else {
            return TaskExplanation(name: task.name, reason: .notInWorkflow)
        }
        return core.machine.withLock { machine in
            TaskExplanation(name: machine.name(Int(place)), reason: machine.reason(Int(place), core))
        }
    }

    /// Says what keeps the workflow from finishing: every task that isn't Finished and why, at most a hundred.
    public func explain() -> [TaskExplanation] {
        core.machine.withLock { machine in
            var explanations: [TaskExplanation] = []
            for index in machine.nodes.indices where machine.nodes[index].state != .finished {
                explanations.append(
                    TaskExplanation(name: machine.name(index), reason: machine.reason(index, core))
                )
                if explanations.count == 100 { break }
            }
            return explanations
        }
    }
}

extension WorkflowState {
    fileprivate func reason(_ index: Int, _ core: WorkflowCore) -> TaskExplanation.Reason {
        let node = nodes[index]
        switch node.state {
        case .pending: return reasonPending(index)
        case .ready: return reasonReady(index, core)
        case .executing: return reasonExecuting(index)
        case .cancelled: return .cancelled
        case .finished: return .finished(snapshot(index).finishDate)
        case .failed:
            let text = (parts[index].value as? TaskFailure)?.text
            return .failed(text ?? errorText(nil), snapshot(index).finishDate)
        }
    }

    private func reasonPending(_ index: Int) -> TaskExplanation.Reason {
        let flags = nodes[index].flags
        if flags.contains(.blocked) { return .blocked(by: causes(of: index).map { describe(Int($0)) }) }
        if flags.contains(.readyDue) { return .isBeingTold }
        let waited = edgeRange(index).map { edges[$0] }.filter { !isSatisfied($0) }
        return .waitsForTasks(waited.map { describe(Int($0.prerequisite)) })
    }

    private func describe(_ index: Int) -> String { "\(name(index)) (\(nodes[index].state))" }

    private func reasonReady(_ index: Int, _ core: WorkflowCore) -> TaskExplanation.Reason {
        let flags = nodes[index].flags
        if flags.contains(.backoff) { return .waitsForRetry }
        if flags.contains(.startDue) { return .waitsForLastBody }
        if flags.contains(.inLine) {
            let number = Int32(truncatingIfNeeded: index)
            let pools = tables.options[number]?.pools.keys.map { pool in
                let place = PoolLedger.position(core, number, in: pool).map { ", number \($0) in line" } ?? ""
                return "pool \(pool.name)\(place)"
            }
            return .waitsForPools((pools ?? []).sorted())
        }
        guard flags.contains(.queued) else { return .notStarted }
        return liveBodies >= limit ? .limitReached(limit) : .waitsForThread
    }

    private func reasonExecuting(_ index: Int) -> TaskExplanation.Reason {
        let node = nodes[index]
        let attempt = Int(node.attempt)
        if node.flags.contains(.waitsOutside) { return .notFulfilled }
        if node.flags.contains(.letGo) { return .letGo(attempt: attempt) }
        let hasReturned = node.flags.contains(.hasReturned) && node.flags.contains(.endsByCall)
        return hasReturned ? .returned(attempt: attempt) : .executing(attempt: attempt)
    }
}
