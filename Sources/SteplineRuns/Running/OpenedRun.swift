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
    /// Whether nothing of it begins until its pause ends.
    package let isPaused: Bool
}

extension OpenedRun {
    /// A line for restored steps and another for steps to run again; empty for a new run.
    package var lines: [String] {
        guard !isNew else { return [] }
        let pause = isPaused ? ["the run is paused: no step begins until runs resume"] : []
        return ["kept of \(id): \(Self.words(kept))", "run again: \(Self.words(again))"] + pause
    }

    /// Returns the number of names and the first six.
    private static func words(_ names: [String]) -> String {
        guard !names.isEmpty else { return "nothing" }
        let first = names.prefix(6).map(RunsText.oneLine).joined(separator: ", ")
        let more = names.count > 6 ? " and \(names.count - 6) more" : ""
        return "\(RunsText.count(names.count, "step")) (\(first)\(more))"
    }
}
