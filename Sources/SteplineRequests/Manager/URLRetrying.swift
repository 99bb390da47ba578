import Foundation
public import SteplineManager
public import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A reactor that repeats requests after a transient failure.
public struct URLRetryingReactor: URLTaskReactor, WaitingReactor {
    /// The name in errors and events.
    public let name = "retrying"
    private let policy: RetryPolicy
    private let methods: Set<String>

    init(policy: RetryPolicy, methods: Set<String>) {
        self.policy = policy
        self.methods = RequestError.idempotentMethods.union(methods.map { $0.uppercased() })
    }

    /// Requeues a task up to the number of attempts.
    public var configuration: ReactorConfiguration {
        // The policy counts attempts: the first one isn't a requeue.
        ReactorConfiguration(requeuesTask: true, maximumRequeues: max(policy.attempts - 1, 0))
    }

    /// Returns whether the failure is transient and the server accepts another request in time.
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
        // Requests that aren't idempotent may have been processed, so they are repeated only if the caller allows this.
        guard let failure = PassingFailure(outcome) else { return nil }
        // Only this reactor's requeues count: other reactors may have requeued the task as well.
        return policy.delay(afterAttempt: context.requeues + 1, failedWith: failure, now: task.clock.now)
    }
}

/// A failure that may not occur again.
private struct PassingFailure: RetryAdvising {
    let isTransient = true
    let retryAfter: RetryAfter?

    init?(_ outcome: URLTaskResult) {
        retryAfter = outcome.retryAfter
        if let status = outcome.statusCode, RequestError.transientStatuses.contains(status) { return }
        switch outcome.error {
        // These failures are transient without a look at their cause.
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
    /// Returns a reactor that repeats requests after connection errors, time-outs, and the statuses 408, 425, 429, 500,
    /// 502, 503, 504.
    ///
    /// Only repeatable requests are repeated: `GET`, `HEAD`, `PUT`, `DELETE`, `OPTIONS`, `TRACE`, requests with an
    /// `Idempotency-Key`, and the given methods. The delay is at least the server's `Retry-After`. If that exceeds
    /// `cap`, the failure is final.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts.
    ///   - base: The first delay.
    ///   - factor: The factor between two delays.
    ///   - cap: The maximum delay.
    ///   - jitter: The random change of a delay.
    ///   - methods: Further methods to repeat.
    /// - Returns: The reactor.
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
