/// The restored and the repeated steps, by name, for reports.
extension RunPlan {
    /// The names of the finished steps that aren't run again.
    var restored: [String] {
        graph.steps.indices.filter { fates[$0] == .finished }.map { graph.names[$0] }
            + elements.values.filter { $0.state == .finished && stands($0) }.map(\.name).sorted()
    }

    /// The names of the begun steps that are run again.
    var again: [String] {
        graph.steps.indices.filter { isRun($0) && found[$0].attempt > 0 && !isAwaiting($0) }.map {
            graph.names[$0]
        }
            + elements.values.filter(isAgain).map(\.name).sorted()
    }

    /// Returns whether a condition continues the wait of an earlier process.
    func isAwaiting(_ place: Int) -> Bool {
        graph.steps[place].isCondition && fates[place] == .open && found[place].state == .running
            && isUpstreamWhole[place] && isSame(place)
    }

    private func isAgain(_ element: StepRecord) -> Bool {
        guard element.attempt > 0, let map = graph.map(of: element.name), isRun(map) else { return false }
        // A map that is repeated because of failures repeats only its failed elements.
        let isOver = element.state == .finished || found[map].state != .failed
        return element.state == .running || element.state == .waiting || !isOver || !stands(element)
    }

    var interruptionCounts: [String: Int] {
        var counts: [String: Int] = [:]
        // A running step ended with its process. `take` has counted this already for static steps.
        for place in found.indices where found[place].interruptions > 0 && fates[place] == .open {
            counts[graph.names[place]] = Int(found[place].interruptions)
        }
        // For elements this interruption isn't counted yet.
        for (name, element) in elements where element.state == .running && !isInterruptedTooOften(element) {
            counts[name] = element.interruptions + 1
        }
        return counts
    }
}
