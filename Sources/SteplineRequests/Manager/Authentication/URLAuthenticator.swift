public import SteplineManager
import SteplineSupport

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Gives requests for its hosts a credential, and renews it, once for all, when a server refuses it with 401.
///
///     let login = URLAuthenticator(token, hosts: ["api.example.com"], apply: { token, request in
///         request.setValue("Bearer \(token.text)", forHTTPHeaderField: "Authorization")
///     }) { old in try await api.renew(old) }
///     let urls = URLTaskManager(interceptors: [login], reactors: [login])
///
/// It must be among the interceptors and the reactors. Requests that are refused or come while a refresh is under
/// way wait for it; when it fails or takes too long, all that wait fail, and the next refused one may try anew.
/// The refresh may use the same manager.
public final class URLAuthenticator<Credential: Sendable>: URLTaskInterceptor, URLTaskReactor {
    /// What errors and events call it.
    public let name: String
    /// The hosts whose requests get the credential, in small letters.
    public let hosts: Set<String>

    private let refreshTimeout: Duration
    private let isStale: @Sendable (Credential) -> Bool
    private let apply: @Sendable (Credential, inout URLRequest) -> Void
    private let refresh: @Sendable (Credential) async throws -> Credential
    private let state: Locked<CredentialState<Credential>>

    /// Makes an authenticator; `isStale` tells of a credential that it won't be accepted any more.
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

    /// The credential that requests get now.
    public var credential: Credential { state.withLock { $0.credential } }

    /// What a refused request waits for: the refresh, and another turn with the interceptors.
    public var configuration: ReactorConfiguration {
        ReactorConfiguration(timeout: refreshTimeout, requeuesTask: true, reinterceptsOnRequeue: true)
    }

    /// Held requests go on with the refresh's end.
    public var holdLimits: HoldLimits { HoldLimits(age: refreshTimeout * 2) }

    // MARK: Before a request

    /// Applies the credential; holds the request if a refresh is due or under way.
    public func intercept(_ task: inout URLTask, context: InterceptContext) async throws -> InterceptCommand {
        // Not `execute`, which would release what it holds.
        let pass = InterceptCommand.delay(.zero)
        guard covers(task.request.url) else { return pass }
        let (credential, version, isRenewed) = state.withLock { state in
            (state.credential, state.version, state.flight != nil)
        }
        let before = task.request.allHTTPHeaderFields ?? [:]
        apply(credential, &task.request)
        for (header, value) in task.request.allHTTPHeaderFields ?? [:] where before[header] != value {
            task.boundHeaders.insert(header)
        }
        task.credentials[ObjectIdentifier(self)] = version
        // What serves a run may be the refresh itself.
        guard isRenewed || isStale(credential), !context.handle.servesRun else { return pass }
        hold(for: task, version, context.handle)
        return .hold
    }

    private func hold(for task: URLTask, _ version: Int, _ handle: AnyTaskHandle) {
        let isFirst = state.withLock { $0.holding.insert(handle.manager).inserted }
        guard isFirst else { return }
        let (clock, story) = (task.clock, task.story)
        handle.holding(by: self, atMost: refreshTimeout) {
            try await self.renew(version, at: clock.uptime, telling: story)
        } ending: {
            self.state.withLock { _ = $0.holding.remove(handle.manager) }
        }
    }

    // MARK: After a request

    /// Says yes to a 401 of one of its hosts, for a request that carried its credential.
    public func shouldExecute(
        after outcome: URLTaskResult, of task: URLTask, context: ReactionContext
    ) async -> Bool {
        guard outcome.statusCode == 401, let version = task.credentials[ObjectIdentifier(self)],
            covers(outcome.response?.url ?? task.request.url)
        else { return false }
        let (story, clock) = (task.story, task.clock)
        let old = state.withLock { $0.refuse(version, telling: story, by: clock) }
        withExtendedLifetime(old) {}
        return true
    }

    /// Refreshes, unless that has been done since.
    public func execute(_ run: ReactorRun) async throws {
        let (refused, story, clock) = state.withLock { ($0.refused, $0.story, $0.clock) }
        try await renew(refused, at: clock.uptime, telling: story)
    }

    private func covers(_ url: URL?) -> Bool {
        (url?.host()?.lowercased()).map(hosts.contains) ?? false
    }

    // MARK: The refresh

    private func renew(_ version: Int, at time: Duration, telling story: URLTaskStory?) async throws {
        switch state.withLock({ $0.renew(version, at: time) }) {
        case .done: return
        case .refused: throw URLAuthenticatorError(code: .tooManyRefreshes, authenticator: name)
        case .join(let flight): try await flight.value.get()
        case .refresh(let flight, let old):
            try await withTaskCancellationHandler {
                do {
                    end(flight, .success(try await refresh(old)), story)
                } catch {
                    end(flight, .failure(error), story)
                }
                try await flight.value.get()
            } onCancel: {
                // A refresh that hangs is given up, so that the next isn't joined to it.
                end(flight, .failure(CancellationError()), story)
            }
        }
    }

    private func end(
        _ flight: CredentialState<Credential>.Flight, _ result: Result<Credential, any Error>,
        _ story: URLTaskStory?
    ) {
        let new = try? result.get()
        let (isNews, old) = state.withLock { $0.land(flight, new) }
        withExtendedLifetime(old) {}
        guard isNews else { return }
        if new != nil { story?.refreshed(by: name) }
        flight.fulfill(result.map { _ in })
    }
}
