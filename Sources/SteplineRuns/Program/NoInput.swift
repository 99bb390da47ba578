/// What a ``DurableWorkflow`` takes that needs nothing to be started with.
public struct NoInput: Codable, Sendable, Hashable {
    /// Nothing.
    public init() {}
}
