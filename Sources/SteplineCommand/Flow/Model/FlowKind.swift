/// The static kind of the value between two steps.
enum FlowKind: Sendable, Equatable {
    /// No value yet.
    case nothing
    case bytes
    case json(FlowShape)
    case document
    /// Unknown because of an earlier error.
    case unknown

    /// The shape of a JSON value; nil for other kinds.
    var shape: FlowShape? { if case .json(let shape) = self { shape } else { nil } }
}
