/// A finished step whose result another run may reuse.
public struct CachedStep: Sendable, Hashable {
    /// The run that produced the result.
    public var run: RunID
    /// The name of the step in that run.
    public var step: String

    /// Creates a reference to a step of a run.
    public init(_ step: String, of run: RunID) {
        self.run = run
        self.step = step
    }
}
