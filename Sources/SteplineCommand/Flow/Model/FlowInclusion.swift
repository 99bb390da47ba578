/// A workflow file that a task runs, and its parameters.
struct FlowInclusion: Sendable {
    let path: FlowPath
    var parameters: [FlowArgument] = []
    /// Whether all parameters were valid.
    var isWhole = true
}

/// A parameter passed to another workflow file.
struct FlowArgument: Sendable {
    let name: String
    let offset: Int
    let value: FlowLiteral
    /// The place of the value.
    let valueOffset: Int
}
