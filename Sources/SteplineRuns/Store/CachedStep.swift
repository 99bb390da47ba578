/// A step whose result another run may take over.
public struct CachedStep: Sendable, Hashable {
    /// Its run.
    public var run: RunID
    /// Its name.
    public var step: String

    /// A step of a run.
    public init(_ step: String, of run: RunID) {
        self.run = run
        self.step = step
    }
}
