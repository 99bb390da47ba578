import Foundation
import SteplineManager
import SteplineRequests
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Options that differ from the default.
func managerOptions(
    _ clock: any StepClock = .system, _ change: (inout URLTaskManager.Options) -> Void = { _ in }
) -> URLTaskManager.Options {
    var options = URLTaskManager.Options()
    options.clock = clock
    change(&options)
    return options
}

func request(_ url: String, method: String = "GET", _ headers: [String: String] = [:]) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
}

extension TaskHandle<URLReply> {
    /// The error that it ended with.
    var failure: (any Error)? {
        get async {
            if case .failure(let error) = await outcome() { error } else { nil }
        }
    }

    var managerError: TaskManagerError? {
        get async { await failure as? TaskManagerError }
    }
}

extension ManualClock {
    /// Advances through all back-offs of a handle, until its end.
    func pass(_ handle: TaskHandle<URLReply>) async -> (any Error)? {
        await eventually {
            if handle.state == .executing(.backoff) { advance(by: .seconds(1)) }
            return handle.state.isFinished
        }
        return await handle.failure
    }
}

/// A bearer's authenticator; a test on the system's clock may take its time.
func bearer(
    _ token: String, hosts: Set<String> = ["api.example.com"], timeout: Duration = .seconds(3600),
    isStale: @escaping @Sendable (String) -> Bool = { _ in false },
    refresh: @escaping @Sendable (String) async throws -> String
) -> URLAuthenticator<String> {
    URLAuthenticator(
        token, hosts: hosts, name: "login", refreshTimeout: timeout, isStale: isStale,
        apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") }, refresh: refresh)
}

/// Accepts one token.
func guarding(_ transport: TransportDouble, _ token: String, host: String = "api.example.com") {
    transport.on {
        $0.url?.host() == host
    } answer: { request, _ in
        request.value(forHTTPHeaderField: "Authorization") == "Bearer \(token)"
            ? .text("hello") : .status(401)
    }
}

struct RefreshFailed: Error {}
