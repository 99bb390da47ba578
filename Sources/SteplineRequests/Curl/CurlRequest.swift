#if os(Linux)
    import Foundation
    import FoundationNetworking

    extension URLRequest {
        /// Why libcurl can't load it; nil if it can.
        var problemForCurl: URLError? {
            let scheme = url?.scheme?.lowercased()
            guard scheme == "http" || scheme == "https" else {
                return CurlFailure.error(.unsupportedURL, "the scheme can't be loaded", url)
            }
            // Nothing is stored that could be an answer.
            guard cachePolicy != .returnCacheDataDontLoad else {
                return CurlFailure.error(.resourceUnavailable, "nothing is stored for the request", url)
            }
            return nil
        }

        /// Whether a request that got no answer may be sent again without being asked.
        var isIdempotent: Bool { RequestError.idempotentMethods.contains((httpMethod ?? "GET").uppercased()) }

        /// The header lines in the form that libcurl takes: `Name: value`, `Name;` for an empty value, and `Name:`
        /// for a line that it is to leave out.
        func headerLines(hasBody: Bool, cookie: String?, agent: String, unpacks: Bool) -> [String] {
            var lines: [String] = []
            var names: Set<String> = ["content-length", "transfer-encoding"]
            func add(_ name: String, _ value: String) {
                guard names.insert(name.lowercased()).inserted else { return }
                lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
            }
            for (name, value) in allHTTPHeaderFields ?? [:] { add(name, value) }
            if let cookie { add("Cookie", cookie) }
            add("User-Agent", agent)
            // Parts of packed bytes could not be unpacked.
            if unpacks, !names.contains("range") { add("Accept-Encoding", "gzip, deflate") }
            // libcurl would wait for the server's leave before it sends a large body.
            if names.insert("expect").inserted { lines.append("Expect:") }
            if !hasBody, ["POST", "PUT", "PATCH"].contains(httpMethod ?? "GET") {
                lines.append("Content-Length: 0")
            }
            return lines
        }
    }
#endif
