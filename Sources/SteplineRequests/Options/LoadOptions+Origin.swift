#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension LoadOptions {
    private static let boundHeaders: Set<String> = ["Authorization", "Proxy-Authorization", "Cookie", "Host"]

    /// Leaves out the headers that are for the first origin alone, by what they are called or hold.
    package func leaveOutBoundHeaders(of request: inout URLRequest) {
        leaveOutHeaders(of: &request, named: secrets(of: request, .none).headers)
    }

    /// Leaves out the headers that are for the first origin alone by what they are called, and those of more names.
    func leaveOutHeaders(of request: inout URLRequest, named more: Set<String>) {
        for name in boundNames(in: request.allHTTPHeaderFields ?? [:], and: more) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
    }

    /// The same without the headers that are for the first origin alone, for a request to another one.
    package var withoutBoundHeaders: LoadOptions {
        var options = self
        for name in boundNames(in: headers, and: secretNames(in: headers)) { options.headers[name] = nil }
        return options
    }

    /// What of a request holds a secret.
    func secrets(of request: URLRequest, _ body: TransportBody) -> RequestSecrets {
        guard let isSecret else { return RequestSecrets() }
        var isInBody = false
        if case .data(let data) = body { isInBody = isSecret(data) }
        return RequestSecrets(
            headers: secretNames(in: request.allHTTPHeaderFields ?? [:]), isInBody: isInBody)
    }

    private func secretNames(in headers: [String: String]) -> Set<String> {
        guard let isSecret else { return [] }
        return Set(headers.lazy.filter { isSecret(Data($0.value.utf8)) }.map(\.key))
    }

    /// Which of these headers are for the first origin alone, or have one of more names, whatever its capitals.
    private func boundNames(in headers: [String: String], and more: Set<String>) -> [String] {
        let bound = Set(Self.boundHeaders.union(sensitiveHeaders).union(more).map { $0.lowercased() })
        return headers.keys.filter { bound.contains($0.lowercased()) }
    }
}

/// Where a request holds secrets, beside the headers that are for its first origin by their names.
struct RequestSecrets {
    var headers: Set<String> = []
    var isInBody = false
}
