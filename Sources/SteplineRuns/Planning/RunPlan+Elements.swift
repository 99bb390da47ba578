import Foundation

/// The elements of maps: steps whose tasks are created when the list is known.
extension RunPlan {
    /// Returns whether the stored elements of a map are still valid: the list and the map are unchanged.
    ///
    /// A growing map begins with other elements after a change, and reaches those that still are in its list.
    private func keepsElements(_ map: Int) -> Bool {
        let facts = graph.facts(map)
        return isUpstreamWhole[map]
            && (isSame(map) || facts.isGrowingMap && found[map].version == facts.version)
    }

    func stands(_ element: StepRecord) -> Bool {
        guard let map = graph.map(of: element.name) else { return false }
        // Elements are stored with the version of their map.
        return keepsElements(map) && element.version == graph.facts(map).version
    }

    /// The kept elements of maps, and which of them are valid.
    func keptElements(results: @escaping @Sendable ([String]) throws -> [Data?]) -> KeptElements {
        let valid = Set(elements.values.filter { stands($0) }.map(\.name))
        return KeptElements(
            elements, valid: valid, interruptions, retryingFailures: retryingFailures, results: results)
    }

    /// Returns changes that clear the elements of changed lists.
    func clearedElements(_ token: UInt64, _ now: Date) -> [StepChange] {
        // A pending element was cleared already.
        elements.values.filter { $0.state != .pending && !stands($0) }.map { old in
            StepChange(
                .cleared, of: old.name, attempt: old.attempt, token: token, at: now, version: old.version,
                links: old.links)
        }
    }

    /// Returns whether an element was interrupted too often to run again.
    func isInterruptedTooOften(_ element: StepRecord) -> Bool {
        // The row doesn't count the interruption that has just ended the attempt.
        element.state == .running && element.interruptions + 1 >= Interruptions.most && !retryingFailures
            && stands(element)
    }

    /// Returns changes that fail such elements, in an attempt of their own as for other steps.
    func failedElements(_ token: UInt64, _ now: Date) -> [StepChange] {
        elements.values.filter(isInterruptedTooOften).map { old in
            let count = old.interruptions + 1
            return StepChange(
                .failed(StepFailure(interrupted: count, old.name)), of: old.name, attempt: old.attempt + 1,
                token: token, at: now, version: old.version, links: old.links, interruptions: count)
        }
    }
}
