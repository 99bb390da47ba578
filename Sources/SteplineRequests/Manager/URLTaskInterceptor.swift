import Foundation
public import SteplineManager

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An interceptor of requests; in a plain manager it discards all other tasks.
public protocol URLTaskInterceptor: Interceptor {
    /// Decides about a request before its first attempt, and may change the request.
    ///
    /// - Throws: An error that fails the request.
    func intercept(_ task: inout URLTask, context: InterceptContext) async throws -> InterceptCommand
}

extension URLTaskInterceptor {
    /// Forwards a request to the typed method, and discards any other task.
    ///
    /// - Throws: The error of the typed method.
    public func intercept<T: ManagedTask>(
        _ task: inout T, context: InterceptContext
    ) async throws -> InterceptCommand {
        guard var request = task as? URLTask else { return .discard }
        let command = try await intercept(&request, context: context)
        if let changed = request as? T { task = changed }
        return command
    }
}

/// A reactor to requests; in a plain manager it ignores all other tasks.
public protocol URLTaskReactor: Reactor {
    /// Returns whether an outcome of a request triggers a run.
    func shouldExecute(after outcome: URLTaskResult, of task: URLTask, context: ReactionContext) async
        -> Bool
}

extension URLTaskReactor {
    /// Returns false.
    public func shouldExecute(
        after outcome: URLTaskResult, of task: URLTask, context: ReactionContext
    ) async -> Bool { false }

    /// Forwards a request's outcome to the typed method; returns false for other tasks.
    public func shouldExecute<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) async -> Bool {
        guard let request = task as? URLTask, let result = result as? Result<URLReply, any Error> else {
            return false
        }
        return await shouldExecute(after: URLTaskResult(result: result), of: request, context: context)
    }
}

/// An interceptor that changes requests with a closure.
public struct URLAdaptingInterceptor: URLTaskInterceptor {
    /// The name in errors and events.
    public let name = "adapting"
    private let body: @Sendable (inout URLRequest) async throws -> Void

    init(_ body: @escaping @Sendable (inout URLRequest) async throws -> Void) {
        self.body = body
    }

    /// Changes the request and runs it.
    ///
    /// - Throws: The error of the closure, which fails the request.
    public func intercept(_ task: inout URLTask, context: InterceptContext) async throws -> InterceptCommand {
        try await body(&task.request)
        return .execute
    }
}

extension URLTaskInterceptor where Self == URLAdaptingInterceptor {
    /// Returns an interceptor that changes every request with a closure.
    public static func adapting(_ body: @escaping @Sendable (inout URLRequest) async throws -> Void) -> Self {
        URLAdaptingInterceptor(body)
    }
}
