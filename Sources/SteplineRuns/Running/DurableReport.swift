import SteplineSupport
public import SteplineWorkflow

/// The outcome of a durable run.
public struct DurableReport: Sendable {
    /// The identity of the run.
    public let id: RunID
    /// The report of the workflow.
    public let run: RunReport
    /// The time that the run has taken in this process.
    public var duration: Duration { run.duration }
    /// The steps that had finished before and weren't run again.
    ///
    /// Results that no step needs aren't read, so that a damaged one may be listed here.
    public let restored: [String]
    /// The steps that were run, in the order in which their ends were stored.
    public let executed: [String]
    /// The steps with reused results, each with the run that produced it; see `TaskOptions.cacheLifetime`.
    public let takenOver: [String: RunID]
    /// The steps that were run again because their result was unreadable, or their files are missing or changed.
    public let unreadable: [String]
    /// The stored steps that the workflow doesn't have, such as those of renamed tasks.
    public let gone: [String]
}

extension DurableReport {
    /// Returns the elements of a map that were run, such as the pages of a crawl, without the map itself.
    ///
    /// - Parameter map: The map's name.
    /// - Returns: Their names, in the order of ``executed``.
    public func executed(of map: String) -> [String] {
        executed.filter { $0.begins(with: map + "[") && $0.ends(with: "]") }
    }
}

extension DurableReport: CustomStringConvertible {
    /// The run with its end and counts, then a line for each failure: `mirror/k finished: 3 steps run, 2 kept`.
    public var description: String {
        let counts = "\(RunsText.count(executed.count, "step")) run, \(restored.count + takenOver.count) kept"
        return (["\(id) \(run.ending): \(counts)"] + run.failures.map { "\($0)" }).joined(separator: "\n")
    }
}
