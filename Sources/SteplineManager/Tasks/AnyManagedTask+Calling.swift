extension AnyManagedTask {
    /// Creates a task from a function whose only argument is a callback with a `Result`.
    public init(
        calling function:
            @escaping @Sendable (@escaping @Sendable (Result<Success, any Error>) -> Void) -> Void
    ) {
        self.init("function", completing: { done in function { done($0) } })
    }

    /// Creates a task from a function whose only argument is a callback with a value.
    @_disfavoredOverload
    public init(calling function: @escaping @Sendable (@escaping @Sendable (Success) -> Void) -> Void) {
        self.init("function", completing: { done in function { done($0) } })
    }
}

extension AnyManagedTask where Success == Void {
    /// Creates a task from a function whose only argument is a callback without arguments.
    public init(calling function: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.init("function", completing: { done in function { done() } })
    }
}

/// Separates the last of two arguments: `f(a, b)` becomes `(a) -> (b)`.
public func curry<A: Sendable, B, Result>(
    _ function: @escaping @Sendable (A, B) -> Result
) -> @Sendable (A) -> @Sendable (B) -> Result {
    { a in { b in function(a, b) } }
}

/// Separates the last of three arguments: `f(a, b, c)` becomes `(a, b) -> (c)`.
public func curry<A: Sendable, B: Sendable, C, Result>(
    _ function: @escaping @Sendable (A, B, C) -> Result
) -> @Sendable (A, B) -> @Sendable (C) -> Result {
    { a, b in { c in function(a, b, c) } }
}
