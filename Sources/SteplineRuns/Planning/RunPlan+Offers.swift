/// What was offered to workers before the run was opened.
extension RunPlan {
    /// Whether the store knew by the step itself that this attempt has finished.
    func hasFinished(_ step: String, attempt: Int) -> Bool {
        if let place = graph.places[step] {
            return found[Int(place)].state == .finished && Int(found[Int(place)].attempt) == attempt
        }
        return elements[step].map { $0.state == .finished && $0.attempt == attempt } ?? false
    }
}
