public import SteplineManager
import SteplineSupport

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Adds a credential to the requests of its hosts, and refreshes it once for all requests after a 401.
///
///     let login = URLAuthenticator(token, hosts: ["api.example.com"], apply: { token, request in
///         request.setValue("Bearer \(token.text)", forHTTPHeaderField: "Authorization")
///     }) { old in try await api.renew(old) }
///     let urls = URLTaskManager(interceptors: [login], reactors: [login])
///
/// Add the authenticator to both the interceptors and the reactors. Requests that are rejected or added during a
/// refresh wait for it. If the refresh fails or exceeds its time limit, all waiting requests fail, and the next
/// rejected request starts another one. The refresh may use the same manager.
///
/// After a time limit the next 401 starts another refresh. This refresh waits for the end of the hanging one, at most
/// for the manager's grace. A credential that the hanging refresh returns late is dropped. At most five refreshes begin
/// within 30 seconds; see ``URLAuthenticatorError``.
public final class URLAuthenticator<Credential: Sendable>: URLTaskInterceptor, URLTaskReactor {
    /// The name in errors and events.
    public let name: String
    /// The hosts of the credential, in lowercase.
    public let hosts: Set<String>

    private let refreshTimeout: Duration
    private let isStale: @Sendable (Credential) -> Bool
    private let apply: @Sendable (Credential, inout URLRequest) -> Void
    private let refresh: @Sendable (Credential) async throws -> Credential
    private let state: Locked<CredentialState<Credential>>

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - credential: The first credential.
    ///   - hosts: The hosts whose requests get the credential.
    ///   - name: The name in errors and events.
    ///   - refreshTimeout: The time limit of a refresh.
    ///   - isStale: Returns whether a credential must be refreshed before its use.
    ///   - apply: Adds the credential to a request.
    ///   - refresh: Returns a new credential for the old one.
    public init(
        _ credential: Credential, hosts: Set<String>, name: String = "authenticator",
        refreshTimeout: Duration = .seconds(30),
        isStale: @escaping @Sendable (Credential) -> Bool = { _ in false },
        apply: @escaping @Sendable (Credential, inout URLRequest) -> Void,
        refresh: @escaping @Sendable (Credential) async throws -> Credential
    ) {
        self.name = name
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.refreshTimeout = refreshTimeout
        self.isStale = isStale
        self.apply = apply
        self.refresh = refresh
        state = Locked(CredentialState(credential))
    }

    /// The current credential.
    public var credential: Credential { state.withLock { $0.credential } }

    /// The reaction to a rejected request: requeue it after the refresh, with a new interception.
    public var configuration: ReactorConfiguration {
        ReactorConfiguration(timeout: refreshTimeout, requeuesTask: true, reinterceptsOnRequeue: true)
    }

    /// The age limit of held requests; the end of a refresh releases them earlier.
    public var holdLimits: HoldLimits { HoldLimits(age: refreshTimeout * 2) }

    // MARK: Before a request

    /// Applies the credential, and holds the request if a refresh is needed or running.
    public func intercept(_ task: inout URLTask, context: InterceptContext) async throws -> InterceptCommand {
        // `execute` would release the requests that this interceptor holds.
        let pass = InterceptCommand.delay(.zero)
        guard covers(task.request.url) else { return pass }
        // `isRenewed`: a refresh is running.
        let (credential, version, isRenewed) = state.withLock { state in
            (state.credential, state.version, state.flight != nil)
        }
        let before = task.request.allHTTPHeaderFields ?? [:]
        apply(credential, &task.request)
        // These headers must not follow a redirect to another origin.
        for (header, value) in task.request.allHTTPHeaderFields ?? [:] where before[header] != value {
            task.boundHeaders.insert(header)
        }
        task.credentials[ObjectIdentifier(self)] = version
        // A request of a run may be the refresh itself: holding it would block the refresh.
        guard isRenewed || isStale(credential), !context.handle.servesRun else { return pass }
        hold(for: task, version, context.handle)
        return .hold
    }

    private func hold(for task: URLTask, _ version: Int, _ handle: AnyTaskHandle) {
        // A single run per manager is enough: it settles all its held requests.
        let isFirst = state.withLock { $0.holding.insert(handle.manager).inserted }
        guard isFirst else { return }
        let (clock, reporter) = (task.clock, task.reporter)
        handle.holding(by: self, atMost: refreshTimeout) {
            try await self.renew(version, at: clock.uptime, telling: reporter)
        } ending: {
            self.state.withLock { _ = $0.holding.remove(handle.manager) }
        }
    }

    // MARK: After a request

    /// Returns whether a request with this credential received a 401 from one of its hosts.
    public func shouldExecute(
        after outcome: URLTaskResult, of task: URLTask, context: ReactionContext
    ) async -> Bool {
        guard outcome.statusCode == 401, let version = task.credentials[ObjectIdentifier(self)],
            covers(outcome.response?.url ?? task.request.url)
        else { return false }
        let (reporter, clock) = (task.reporter, task.clock)
        let old = state.withLock { $0.refuse(version, telling: reporter, by: clock) }
        // The previous values are user objects: release them after unlock.
        withExtendedLifetime(old) {}
        return true
    }

    /// Refreshes the credential, unless it was refreshed since the rejection.
    ///
    /// - Throws: A ``URLAuthenticatorError`` `.tooManyRefreshes`, the error of the refresh, or `CancellationError`.
    public func execute(_ run: ReactorRun) async throws {
        let (refused, reporter, clock) = state.withLock { ($0.refused, $0.reporter, $0.clock) }
        try await renew(refused, at: clock.uptime, telling: reporter)
    }

    private func covers(_ url: URL?) -> Bool {
        (url?.host()?.lowercased()).map(hosts.contains) ?? false
    }

    // MARK: The refresh

    private func renew(_ version: Int, at time: Duration, telling reporter: URLTaskReporter?) async throws {
        switch state.withLock({ $0.renew(version, at: time) }) {
        case .done: return
        case .refused(let failure):
            throw URLAuthenticatorError(code: .tooManyRefreshes, authenticator: name, underlying: failure)
        // Another caller refreshes: share its result.
        case .join(let flight): try await flight.value.get()
        case .refresh(let flight, let old):
            try await withTaskCancellationHandler {
                do {
                    end(flight, .success(try await refresh(old)), reporter)
                } catch {
                    end(flight, .failure(error), reporter)
                }
                // All callers take the result from the flight, so a given-up refresh fails here too.
                try await flight.value.get()
            } onCancel: {
                // Give up a refresh that hangs, so the next caller starts a new one.
                end(flight, .failure(CancellationError()), reporter)
            }
        }
    }

    private func end(
        _ flight: CredentialState<Credential>.Flight, _ result: Result<Credential, any Error>,
        _ reporter: URLTaskReporter?
    ) {
        let (isNews, replaced) = state.withLock { $0.land(flight, result) }
        // The old credential and error are user values: release them after unlock.
        withExtendedLifetime(replaced) {}
        // The refresh was given up before: its waiters have failed already.
        guard isNews else { return }
        if case .success = result { reporter?.refreshed(by: name) }
        flight.fulfill(result.map { _ in })
    }
}
