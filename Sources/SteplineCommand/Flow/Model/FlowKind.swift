/// The static kind of the value between two steps.
enum FlowKind: String, Sendable {
    /// No value yet.
    case nothing = "nothing"
    case bytes = "bytes"
    case json = "a value"
    case document = "an XML document"
    /// Unknown because of an earlier error.
    case unknown = "unknown"
}
