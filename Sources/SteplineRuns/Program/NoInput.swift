/// The input of a ``DurableWorkflow`` that needs none.
public struct NoInput: Codable, Sendable, Hashable {
    /// Creates an empty input.
    public init() {}
}
