import Foundation
public import SteplineManager
public import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes a request again whose failure is of the passing kind.
public struct URLRetryingReactor: URLTaskReactor, WaitingReactor {
    /// What errors and events call it.
    public let name = "retrying"
    private let policy: RetryPolicy
    private let methods: Set<String>

    private static let repeatable: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

    init(policy: RetryPolicy, methods: Set<String>) {
        self.policy = policy
        self.methods = Self.repeatable.union(methods.map { $0.uppercased() })
    }

    /// Requeues a task as often as the attempts allow.
    public var configuration: ReactorConfiguration {
        ReactorConfiguration(requeuesTask: true, maximumRequeues: max(policy.attempts - 1, 0))
    }

    /// Says whether the failure is worth another attempt, and the server is ready for it in time.
    public func shouldExecute(
        after outcome: URLTaskResult, of task: URLTask, context: ReactionContext
    ) async -> Bool {
        wait(after: outcome, of: task, context) != nil
    }

    package func wait<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) -> Duration? {
        guard let task = task as? URLTask, let result = result as? Result<URLReply, any Error> else {
            return nil
        }
        return wait(after: URLTaskResult(result: result), of: task, context)
    }

    private func wait(
        after outcome: URLTaskResult, of task: URLTask, _ context: ReactionContext
    ) -> Duration? {
        let method = task.request.httpMethod?.uppercased() ?? "GET"
        guard methods.contains(method) || task.request.value(forHTTPHeaderField: "Idempotency-Key") != nil
        else { return nil }
        guard let failure = PassingFailure(outcome) else { return nil }
        return policy.delay(afterAttempt: context.requeues + 1, failedWith: failure, now: task.clock.now)
    }
}

/// A failure that may be gone when the request is made again.
private struct PassingFailure: RetryAdvising {
    let isTransient = true
    let retryAfter: RetryAfter?

    init?(_ outcome: URLTaskResult) {
        retryAfter = outcome.retryAfter
        if let status = outcome.statusCode, RequestError.transientStatuses.contains(status) { return }
        switch outcome.error {
        case let error as RequestError where error.code == .timedOut || error.code == .truncated: return
        case let error as RequestError:
            guard error.code == .connection, error.underlying.map(RetryPolicy.isTransient) == true else {
                return nil
            }
        case let error as URLError where RetryPolicy.isTransient(error): return
        default: return nil
        }
    }
}

extension URLTaskReactor where Self == URLRetryingReactor {
    /// Makes requests again after a connection error, a time-out, and the statuses 408, 425, 429, 500, 502, 503, 504.
    ///
    /// Only those that may be repeated: `GET`, `HEAD`, `PUT`, `DELETE`, `OPTIONS`, `TRACE`, those with an
    /// `Idempotency-Key`, and the `methods` named. The wait is never shorter than a `Retry-After`; if that is longer
    /// than `cap`, the failure is delivered at once.
    public static func retrying(
        attempts: Int = 3, base: Duration = .milliseconds(500), factor: Double = 2,
        cap: Duration = .seconds(60), jitter: RetryJitter = .full, methods: Set<String> = []
    ) -> URLRetryingReactor {
        URLRetryingReactor(
            policy: .exponential(
                attempts: attempts, base: base, factor: factor, cap: cap, jitter: jitter, when: { _ in true }),
            methods: methods)
    }
}
