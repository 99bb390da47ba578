/// The plan of an opened run, reported before any body starts.
package struct OpenedRun: Sendable {
    /// The identity of the run.
    package let id: RunID
    /// Whether the run was created by this opening.
    package let isNew: Bool
    /// The finished steps that aren't run again.
    package let kept: [String]
    /// The begun steps that are run again.
    package let again: [String]
    /// The stored steps that the workflow doesn't have.
    package let gone: [String]
    /// Whether nothing of it begins until its pause ends.
    package let isPaused: Bool
}

extension OpenedRun {
    /// Lines for restored steps, for steps to run again and for steps that are gone; empty for a new run.
    package var lines: [String] {
        guard !isNew else { return [] }
        let pause = isPaused ? ["the run is paused: no step begins until runs resume"] : []
        let lost = gone.isEmpty ? [] : ["in the store, but not in \(id.workflow): \(Self.words(gone))"]
        return ["kept of \(id): \(Self.words(kept))", "run again: \(Self.words(again))"] + lost + pause
    }

    /// Returns the number of names and the first six.
    private static func words(_ names: [String]) -> String {
        guard !names.isEmpty else { return "nothing" }
        let first = names.prefix(6).map(RunsText.oneLine).joined(separator: ", ")
        let more = names.count > 6 ? " and \(names.count - 6) more" : ""
        return "\(RunsText.count(names.count, "step")) (\(first)\(more))"
    }
}
