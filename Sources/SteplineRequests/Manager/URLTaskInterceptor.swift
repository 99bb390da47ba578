import Foundation
public import SteplineManager

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An interceptor of requests alone; on a plain manager it discards every other task.
public protocol URLTaskInterceptor: Interceptor {
    /// Looks at a request before its first attempt, may change it, and says what becomes of it.
    func intercept(_ task: inout URLTask, context: InterceptContext) async throws -> InterceptCommand
}

extension URLTaskInterceptor {
    /// Passes a request on to the typed method; discards any other task.
    public func intercept<T: ManagedTask>(
        _ task: inout T, context: InterceptContext
    ) async throws -> InterceptCommand {
        guard var request = task as? URLTask else { return .discard }
        let command = try await intercept(&request, context: context)
        if let changed = request as? T { task = changed }
        return command
    }
}

/// A reactor to requests alone; on a plain manager it says no to every other task.
public protocol URLTaskReactor: Reactor {
    /// Says whether this outcome of a request calls for a run.
    func shouldExecute(after outcome: URLTaskResult, of task: URLTask, context: ReactionContext) async
        -> Bool
}

extension URLTaskReactor {
    /// No.
    public func shouldExecute(
        after outcome: URLTaskResult, of task: URLTask, context: ReactionContext
    ) async -> Bool { false }

    /// Passes a request's outcome on to the typed method; false for any other task.
    public func shouldExecute<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) async -> Bool {
        guard let request = task as? URLTask, let result = result as? Result<URLReply, any Error> else {
            return false
        }
        return await shouldExecute(after: URLTaskResult(result: result), of: request, context: context)
    }
}

/// An interceptor of requests made of a closure that changes them.
public struct URLAdaptingInterceptor: URLTaskInterceptor {
    /// What errors and events call it.
    public let name = "adapting"
    private let body: @Sendable (inout URLRequest) async throws -> Void

    init(_ body: @escaping @Sendable (inout URLRequest) async throws -> Void) {
        self.body = body
    }

    /// Changes the request, and lets it run.
    public func intercept(_ task: inout URLTask, context: InterceptContext) async throws -> InterceptCommand {
        try await body(&task.request)
        return .execute
    }
}

extension URLTaskInterceptor where Self == URLAdaptingInterceptor {
    /// Changes every request by a closure.
    public static func adapting(_ body: @escaping @Sendable (inout URLRequest) async throws -> Void) -> Self {
        URLAdaptingInterceptor(body)
    }
}
