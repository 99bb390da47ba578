import SteplineEngine
import SteplineSupport

/// Cleanups: whether one is needed, and which bodies it and the tasks that it guards wait for.
extension WorkflowMachine {
    /// Whether it is a cleanup, and nothing that it guards has begun.
    func isUnneeded(_ number: Int32) -> Bool {
        guard tasks[number].traits.contains(.cleanup) else { return false }
        return !graph.places(of: number).contains {
            tasks[graph.edge(at: $0).prerequisite].facts.contains(.began)
        }
    }

    /// Starts a Ready task as a part of a run; a cleanup that nothing has to be cleaned up for ends instead.
    mutating func startInRun(_ number: Int32, _ turn: inout WorkflowTurn) {
        if !tasks[number].attempt.isBusy, isUnneeded(number) {
            isNotNeeded(number, from: .ready, &turn)
        } else {
            start(number, &turn)
        }
    }

    /// A cleanup has nothing to clean up; it ends Cancelled, which counts neither for nor against the workflow.
    mutating func isNotNeeded(
        _ number: Int32, from old: WorkflowTask.State, _ turn: inout WorkflowTurn
    ) {
        let wasOpen = tasks.openLeaves
        let reason = CancellationReason(.unwanted, "not needed")
        tasks.isNotNeeded(number, for: reason)
        count(.cancelled(reason), number, turn)
        wakeWaiters(number, &turn)
        tell(.cancelled(reason), number, from: old, &turn)
        if wasOpen > 0, tasks.openLeaves == 0 { complete(&turn) }
        releaseCleanups(number, &turn)
    }

    /// Whether a cleanup that guards the task has a live body, or the task is a cleanup and a task that it guards has one.
    ///
    /// A body may outlive its task's end: it was cancelled, timed out, or told its end itself. It is waited for no longer
    /// than its grace.
    mutating func isHeldByBodies(_ number: Int32, _ turn: inout WorkflowTurn) -> Bool {
        guard tasks[number].traits.contains(.cleanup) else { return isGuardedByLiveCleanup(number) }
        var isHeld = isGuardedByLiveCleanup(number)
        for place in graph.places(of: number) {
            let guarded = graph.edge(at: place).prerequisite
            guard tasks[guarded].attempt.hasBody else { continue }
            boundLastBody(guarded, &turn)
            isHeld = true
        }
        return isHeld
    }

    private func isGuardedByLiveCleanup(_ number: Int32) -> Bool {
        var place = graph.firstDependent(of: number)
        while place >= 0 {
            let edge = graph.edge(at: place)
            place = edge.next
            if edge.kind == .guards, tasks[edge.dependent].attempt.hasBody { return true }
        }
        return false
    }

    /// A body is over: the tasks that it guards, and the cleanups that guard its task, may begin if no other holds them.
    mutating func releaseHeld(by number: Int32, _ turn: inout WorkflowTurn) {
        guard !terms.heldByBodies.isEmpty else { return }
        var held: [Int32] = []
        if tasks[number].traits.contains(.cleanup) {
            held = graph.places(of: number).map { graph.edge(at: $0).prerequisite }
        }
        var place = graph.firstDependent(of: number)
        while place >= 0 {
            let edge = graph.edge(at: place)
            place = edge.next
            if edge.kind == .guards { held.append(edge.dependent) }
        }
        for other in held {
            if terms.heldByBodies.remove(other) != nil, isQueued(other) { lineUp(other, &turn) }
        }
    }
}
