/// What a run that was opened has to do: told before anything of it is run.
package struct OpenedRun: Sendable {
    /// Which run.
    package let id: RunID
    /// Whether there was none of that name before.
    package let isNew: Bool
    /// The steps that have finished and are not run again.
    package let kept: [String]
    /// The steps that had begun and are run again.
    package let again: [String]
    /// Whether nothing of it begins until its pause ends.
    package let isPaused: Bool
}

extension OpenedRun {
    /// What is kept and what is done again, a line each; none for a new run.
    package var lines: [String] {
        guard !isNew else { return [] }
        let pause = isPaused ? ["the run is paused: no step begins until runs resume"] : []
        return ["kept of \(id): \(Self.words(kept))", "run again: \(Self.words(again))"] + pause
    }

    /// The first few names, and how many there are.
    private static func words(_ names: [String]) -> String {
        guard !names.isEmpty else { return "nothing" }
        let first = names.prefix(6).map(RunsText.oneLine).joined(separator: ", ")
        let more = names.count > 6 ? " and \(names.count - 6) more" : ""
        return "\(RunsText.count(names.count, "step")) (\(first)\(more))"
    }
}
