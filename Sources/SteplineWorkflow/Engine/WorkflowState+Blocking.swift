import SteplineSupport

extension WorkflowState {
    /// A task has failed for good: what can't run for that is told, and what allows it may run.
    ///
    /// Passes over each task once for all failures, as it stops where it has been before.
    mutating func blockDependents(_ index: Int) {
        let cause = readers.isEmpty ? [] : [name(index)]
        var toVisit = [(number: Int32(truncatingIfNeeded: index), isNews: false)]
        while let (number, isNews) = toVisit.popLast() {
            let isCause = Int(number) == index
            var next = nodes[Int(number)].firstDependent
            while next >= 0 {
                let edge = edges[Int(next)]
                next = edge.next
                let dependent = Int(edge.dependent)
                guard nodes[dependent].state == .pending else { continue }
                if edge.guards {
                    if isNews { satisfy(dependent) }
                } else if edge.allowsFailure {
                    if !isCause { satisfy(dependent) }
                } else if !nodes[dependent].flags.contains(.blockedByFailure) {
                    let wasBlocked = nodes[dependent].flags.contains(.blocked)
                    nodes[dependent].flags.insert([.blocked, .blockedByFailure])
                    if !wasBlocked { count(.blocked(by: cause), dependent) }
                    answerWaiters(dependent)
                    toVisit.append((edge.dependent, isNews: !wasBlocked))
                }
            }
        }
    }

    /// The dependents that may run although this task has failed.
    mutating func releaseAllowing(_ index: Int) {
        var next = nodes[index].firstDependent
        while next >= 0 {
            let edge = edges[Int(next)]
            next = edge.next
            if edge.allowsFailure || edge.guards { satisfy(Int(edge.dependent)) }
        }
    }

    /// The names of the direct prerequisites that keep a blocked task from running.
    func faults(of index: Int) -> [String] {
        edgeRange(index).compactMap { place in
            let upstream = Int(edges[place].prerequisite)
            let node = nodes[upstream]
            let isAtFault =
                node.state == .failed || node.state == .cancelled || node.flags.contains(.blocked)
            return isAtFault && !isSatisfied(edges[place]) ? name(upstream) : nil
        }
    }

    /// The Failed and Cancelled tasks upstream that keep a task from running.
    func causes(of index: Int) -> [Int32] {
        var causes: [Int32] = []
        var seen: Set<Int> = [index]
        var toVisit = [index]
        while let current = toVisit.popLast() {
            for place in edgeRange(current) {
                let edge = edges[place]
                let upstream = Int(edge.prerequisite)
                guard !isSatisfied(edge), seen.insert(upstream).inserted else { continue }
                switch nodes[upstream].state {
                case .failed, .cancelled: causes.append(edge.prerequisite)
                case .pending where nodes[upstream].flags.contains(.blocked): toVisit.append(upstream)
                default: break
                }
            }
        }
        return causes.sorted()
    }
}
