extension WorkflowState {
    /// Whether something that a cleanup guards has ever begun.
    func isNeeded(_ index: Int) -> Bool {
        edgeRange(index).contains { nodes[Int(edges[$0].prerequisite)].flags.contains(.began) }
    }

    /// A cleanup has nothing to clean up; it ends Cancelled, which counts neither for nor against the workflow.
    mutating func isNotNeeded(_ index: Int) {
        set(index, .cancelled)
        nodes[index].flags.insert(.notNeeded)
        tables.notNeeded += 1
        count(.cancelled(reason: "not needed"), index)
        answerWaiters(index)
        tell(index, .cancelled, from: .pending)
        if isLeaf(index) { leafFinished() }
        recount(index)
    }

    /// A task was cancelled: what cleans up after it no longer waits for it.
    mutating func releaseCleanups(_ index: Int) {
        guard tables.hasCleanups else { return }
        var next = nodes[index].firstDependent
        while next >= 0 {
            let edge = edges[Int(next)]
            next = edge.next
            if edge.guards { satisfy(Int(edge.dependent)) }
        }
    }
}
