/// The plan's view of steps that were offered to workers before the run was opened.
extension RunPlan {
    /// Returns whether the step itself, not only its offer, records that the attempt finished.
    func hasFinished(_ step: String, attempt: Int) -> Bool {
        if let place = graph.places[step] {
            return found[Int(place)].state == .finished && Int(found[Int(place)].attempt) == attempt
        }
        // The graph has no places for elements of maps.
        return elements[step].map { $0.state == .finished && $0.attempt == attempt } ?? false
    }

    /// Returns whether an adopted offer is still valid: the same version of the step after the same results.
    func isStill(_ offer: StepOffer) -> Bool {
        guard let place = graph.places[offer.step].map({ Int($0) }) else {
            // Not in the graph: an element, which is valid as long as its map, or a step that is gone.
            return graph.places[offer.task].map { Int($0) }.map { map in
                let facts = graph.facts(map)
                return facts.mapped != nil && isUpstreamWhole[map] && isSame(map)
                    && facts.version == offer.version
            } ?? false
        }
        let facts = graph.facts(place)
        return isUpstreamWhole[place] && facts.version == offer.version && facts.isSame(offer.links)
    }

    /// Checks that a worker of this program may own the run.
    ///
    /// An older program would run steps of a newer one again, or end the run without begun steps that it lacks. It can't
    /// know of those that haven't begun.
    ///
    /// - Parameter offers: The offers of the run.
    /// - Throws: A `DurableRunError` with the code `outdated`.
    func checkProgram(_ offers: [OfferRecord]) throws {
        let newer = graph.steps.indices.first {
            found[$0].attempt > 0 && found[$0].version > graph.facts($0).version
        }
        if let newer {
            throw DurableRunError(
                .outdated, graph.names[newer],
                "the run was made by a newer version of the program than this one")
        }
        let lacking = unendedGone ?? offers.first { graph.places[$0.offer.task] == nil }?.offer.step
        guard let lacking else { return }
        throw DurableRunError(
            .outdated, lacking, "another version of the program has begun the step, which this one lacks")
    }
}
