extension XMLError {
    /// The name of a limit in ``XML/Options``, as it stands in an error's description.
    package enum Limit: String, Sendable {
        case size, depth, textLength, attributes, nameLength, names, entityExpansion, recordSize
        case queryOperations
        /// The fixed limits of a query's length and nesting.
        case queryComplexity
    }
}
