#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension LoadOptions {
    private static let boundHeaders: Set<String> = ["Authorization", "Proxy-Authorization", "Cookie", "Host"]

    /// Removes the headers that are restricted to the first origin by their name, or because their value is secret.
    package func leaveOutBoundHeaders(of request: inout URLRequest) {
        leaveOutHeaders(of: &request, named: secrets(of: request, .none).headers)
    }

    /// Removes the headers that are restricted to the first origin by their name, and the headers with further names.
    func leaveOutHeaders(of request: inout URLRequest, named more: Set<String>) {
        for name in boundNames(in: request.allHTTPHeaderFields ?? [:], and: more) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
    }

    /// The options without the headers that are restricted to the first origin, for a request to another origin.
    package var withoutBoundHeaders: LoadOptions {
        var options = self
        for name in boundNames(in: headers, and: secretNames(in: headers)) { options.headers[name] = nil }
        return options
    }

    /// Returns the secret parts of a request.
    func secrets(of request: URLRequest, _ body: TransportBody) -> RequestSecrets {
        guard let isSecret else { return RequestSecrets() }
        var isInBody = false
        // Files aren't searched: they may be large.
        if case .data(let data) = body { isInBody = isSecret(data) }
        return RequestSecrets(
            headers: secretNames(in: request.allHTTPHeaderFields ?? [:]), isInBody: isInBody)
    }

    private func secretNames(in headers: [String: String]) -> Set<String> {
        guard let isSecret else { return [] }
        return Set(headers.lazy.filter { isSecret(Data($0.value.utf8)) }.map(\.key))
    }

    /// Returns the names of headers that are restricted to the first origin, or are among further names, ignoring case.
    private func boundNames(in headers: [String: String], and more: Set<String>) -> [String] {
        let bound = Set(Self.boundHeaders.union(sensitiveHeaders).union(more).map { $0.lowercased() })
        // The names keep their spelling: callers remove the headers by these keys.
        return headers.keys.filter { bound.contains($0.lowercased()) }
    }
}

/// The secret parts of a request, in addition to headers that are restricted by their names.
struct RequestSecrets {
    var headers: Set<String> = []
    var isInBody = false
}
