#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension LoadOptions {
    private static let boundHeaders: Set<String> = ["Authorization", "Proxy-Authorization", "Cookie", "Host"]

    /// Leaves out the headers that are for the first origin alone, and those of more names.
    package func leaveOutBoundHeaders(of request: inout URLRequest, and more: Set<String> = []) {
        for name in boundNames(in: request.allHTTPHeaderFields ?? [:], and: more) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
    }

    /// The same without the headers that are for the first origin alone, for a request to another one.
    package var withoutBoundHeaders: LoadOptions {
        var options = self
        for name in boundNames(in: headers) { options.headers[name] = nil }
        return options
    }

    /// Which of these headers are for the first origin alone, or have one of more names, whatever its capitals.
    private func boundNames(in headers: [String: String], and more: Set<String> = []) -> [String] {
        let bound = Set(Self.boundHeaders.union(sensitiveHeaders).union(more).map { $0.lowercased() })
        return headers.compactMap { name, value in
            bound.contains(name.lowercased()) || isSecret?(Data(value.utf8)) == true ? name : nil
        }
    }
}
