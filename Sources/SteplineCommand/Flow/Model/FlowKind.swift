/// What a value is between two steps, as far as it is known before the run.
enum FlowKind: String, Sendable {
    /// There is no value yet.
    case nothing = "nothing"
    case bytes = "bytes"
    case json = "a value"
    case document = "an XML document"
    /// It depends on something mistaken.
    case unknown = "unknown"
}
