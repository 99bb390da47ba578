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
        for header in Self.boundHeaders.union(sensitiveHeaders).union(more) {
            request.setValue(nil, forHTTPHeaderField: header)
        }
        guard let isSecret else { return }
        for (name, value) in request.allHTTPHeaderFields ?? [:] where isSecret(Data(value.utf8)) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
    }
}
