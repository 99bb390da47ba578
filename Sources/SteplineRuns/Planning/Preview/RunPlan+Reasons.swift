/// The reasons for the fates of steps.
extension RunPlan {
    /// Explains the difference between two versions of a task, such as those of a workflow file.
    typealias VersionWords = (_ old: Int, _ new: Int) -> (reason: PlannedStep.Reason, text: String)?

    /// Returns why a step to run isn't kept.
    ///
    /// The first reason counts that the step has by itself, before those that come from other steps.
    func reason(
        _ place: Int, _ words: VersionWords
    ) -> (reason: PlannedStep.Reason, because: [String], change: String?) {
        let (step, old, facts) = (graph.steps[place], found[place], graph.facts(place))
        if step.isCondition, old.attempt == 0 || isAwaiting(place) { return (.waitsForSignal, [], nil) }
        if old.attempt == 0 { return (.new, [], nil) }
        if old.version != facts.version {
            return changed(from: old.version, to: facts.version, words)
        }
        // The digest includes the type: the next check would report a changed type as changed prerequisites.
        if facts.hasOtherType(old.links) { return (.resultTypeChanged, [], nil) }
        if !facts.isSame(old.links) { return (.prerequisitesChanged, [], nil) }
        if !isUpstreamWhole[place] { return (.prerequisiteRuns, invalidPrerequisites(of: place), nil) }
        switch (fates[place], old.state) {
        case (.recomputed, _): return (.resultNotStored, [], nil)
        case (.waiting, _): return (.retryDue, [], nil)
        // Finished and unchanged, but open: the result is damaged, or a step inside runs.
        case (_, .finished):
            if let damage = damaged[place] {
                return (damage == .file ? .fileGone : .resultUnreadable, [], nil)
            }
            return (.stepInsideRuns, changes(inside: place), nil)
        case (_, .failed): return (.failedBefore, [], nil)
        case (_, .cancelled): return (.cancelledBefore, [], nil)
        // `pending` after an attempt: an earlier opening cleared the step and ended before a new attempt.
        case (_, .running), (_, .pending), (_, .waiting): return (.interrupted, [], nil)
        }
    }

    /// Returns the reason for a change of the version.
    func changed(
        from old: Int, to new: Int, _ words: VersionWords
    ) -> (reason: PlannedStep.Reason, because: [String], change: String?) {
        if let (reason, text) = words(old, new) { return (reason, [], text) }
        return (.definitionChanged, [], "its version changed from \(old) to \(new)")
    }

    /// Returns the prerequisites that don't keep their state, or the task around a step if that one changed.
    private func invalidPrerequisites(of place: Int) -> [String] {
        let step = graph.steps[place]
        let around = Int(step.around)
        // A changed task around invalidates everything inside, so the step's own prerequisites don't matter.
        if around >= 0, !(isUpstreamWhole[around] && isSame(around)) { return [graph.names[around]] }
        return step.links.compactMap { link in
            let link = graph.links[Int(link)]
            return stands(Int(link.step), mayFail: link.mayFail) ? nil : graph.names[Int(link.step)]
        }
    }

    private func changes(inside place: Int) -> [String] {
        graph.range(inside: place).map { $0.filter(isChange).map { graph.names[$0] } } ?? []
    }
}
