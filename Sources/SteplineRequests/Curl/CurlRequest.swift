#if os(Linux)
    import Foundation
    import FoundationNetworking

    extension URLRequest {
        /// What libcurl can load.
        var isForCurl: Bool {
            let scheme = url?.scheme?.lowercased()
            return (scheme == "http" || scheme == "https") && httpBodyStream == nil
                && cachePolicy != .returnCacheDataDontLoad
        }

        /// Whether a request that got no answer may be sent again without being asked.
        var isIdempotent: Bool { RequestError.idempotentMethods.contains((httpMethod ?? "GET").uppercased()) }

        /// The header lines in the form that libcurl takes: `Name: value`, `Name;` for an empty value, and `Name:`
        /// for a line that it is to leave out.
        func headerLines(hasBody: Bool, cookie: String?, agent: String) -> [String] {
            var lines: [String] = []
            var names: Set<String> = ["content-length", "transfer-encoding"]
            func add(_ name: String, _ value: String) {
                guard names.insert(name.lowercased()).inserted else { return }
                lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
            }
            for (name, value) in allHTTPHeaderFields ?? [:] { add(name, value) }
            if let cookie { add("Cookie", cookie) }
            add("User-Agent", agent)
            // libcurl would wait for the server's leave before it sends a large body.
            if names.insert("expect").inserted { lines.append("Expect:") }
            if !hasBody, ["POST", "PUT", "PATCH"].contains(httpMethod ?? "GET") {
                lines.append("Content-Length: 0")
            }
            return lines
        }
    }
#endif
