/// An interceptor of one type of task, made of a closure.
public struct TypedInterceptor<Managed: ManagedTask>: Interceptor {
    /// What errors and events call it.
    public let name: String
    private let body: @Sendable (inout Managed, InterceptContext) async throws -> InterceptCommand

    init(
        name: String,
        body: @escaping @Sendable (inout Managed, InterceptContext) async throws -> InterceptCommand
    ) {
        self.name = name
        self.body = body
    }

    /// Asks the closure about tasks of its type; lets all others run.
    public func intercept<T: ManagedTask>(
        _ task: inout T, context: InterceptContext
    ) async throws -> InterceptCommand {
        guard var own = task as? Managed else { return .execute }
        let command = try await body(&own, context)
        if let changed = own as? T { task = changed }
        return command
    }
}

extension Interceptor {
    /// An interceptor that is asked about tasks of one type alone.
    public static func only<Managed: ManagedTask>(
        _ type: Managed.Type, name: String? = nil,
        _ body: @escaping @Sendable (inout Managed, InterceptContext) async throws -> InterceptCommand
    ) -> Self where Self == TypedInterceptor<Managed> {
        TypedInterceptor(name: name ?? "only(\(type))", body: body)
    }
}
