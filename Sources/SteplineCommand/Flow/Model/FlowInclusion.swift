/// Another workflow file that a task runs, and the parameters that it is given.
struct FlowInclusion: Sendable {
    let path: FlowPath
    var parameters: [FlowArgument] = []
    /// Whether all parameters could be read.
    var isWhole = true
}

/// A parameter of another workflow file, and its value.
struct FlowArgument: Sendable {
    let name: String
    let offset: Int
    let value: FlowLiteral
    /// Where the value stands.
    let valueOffset: Int
}
