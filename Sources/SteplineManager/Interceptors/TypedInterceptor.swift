/// An interceptor of one task type, created from a closure.
public struct TypedInterceptor<Managed: ManagedTask>: Interceptor {
    /// The name in errors and events.
    public let name: String
    private let body: @Sendable (inout Managed, InterceptContext) async throws -> InterceptCommand

    init(
        name: String,
        body: @escaping @Sendable (inout Managed, InterceptContext) async throws -> InterceptCommand
    ) {
        self.name = name
        self.body = body
    }

    /// Calls the closure for tasks of its type; other tasks run, and release nothing that this interceptor holds.
    ///
    /// - Throws: The error of the closure, which fails the task.
    public func intercept<T: ManagedTask>(
        _ task: inout T, context: InterceptContext
    ) async throws -> InterceptCommand {
        // `execute` would release the held tasks. A delay of zero has no other effect.
        guard var own = task as? Managed else { return .delay(.zero) }
        let command = try await body(&own, context)
        if let changed = own as? T { task = changed }
        return command
    }
}

extension Interceptor {
    /// Creates an interceptor for one task type.
    ///
    /// - Parameters:
    ///   - type: The type of the tasks.
    ///   - name: The name in errors and events; nil for a name made from the type.
    ///   - body: The decision.
    /// - Returns: The interceptor.
    public static func only<Managed: ManagedTask>(
        _ type: Managed.Type, name: String? = nil,
        _ body: @escaping @Sendable (inout Managed, InterceptContext) async throws -> InterceptCommand
    ) -> Self where Self == TypedInterceptor<Managed> {
        TypedInterceptor(name: name ?? "only(\(type))", body: body)
    }
}
