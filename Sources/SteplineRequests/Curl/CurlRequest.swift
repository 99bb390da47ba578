#if os(Linux)
    import Foundation
    import FoundationNetworking

    extension URL {
        /// Whether the authority is a plain name or IPv4 address with an optional port.
        ///
        /// Letters, digits, dots and hyphens leave parsers no choice: all of them read the same host.
        var hasPlainAuthority: Bool {
            var text = absoluteString
            return text.withUTF8 { bytes in
                guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
                    bytes[colon...].starts(with: "://".utf8)
                else { return false }
                let start = colon + 3
                var isInPort = false
                for index in start..<bytes.count {
                    switch bytes[index] {
                    case UInt8(ascii: "0")...UInt8(ascii: "9"): continue
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "."), UInt8(ascii: "-"):
                        if isInPort { return false }
                    case UInt8(ascii: ":"):
                        if isInPort || index == start { return false }
                        isInPort = true
                    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"):
                        return index > start
                    default: return false
                    }
                }
                return bytes.count > start
            }
        }
    }

    extension URLRequest {
        /// The reason why libcurl can't load the request; nil if it can.
        var problemForCurl: URLError? {
            let scheme = url?.scheme?.lowercased()
            guard scheme == "http" || scheme == "https" else {
                return CurlFailure.error(.unsupportedURL, "the scheme can't be loaded", url)
            }
            // This transport stores no responses, so there is nothing to return without loading.
            guard cachePolicy != .returnCacheDataDontLoad else {
                return CurlFailure.error(.resourceUnavailable, "nothing is stored for the request", url)
            }
            return nil
        }

        /// Whether the request may be sent again automatically after a lost response.
        var isIdempotent: Bool { RequestError.idempotentMethods.contains((httpMethod ?? "GET").uppercased()) }

        /// Returns the header lines in libcurl's form.
        ///
        /// The forms are `Name: value`, `Name;` for an empty value, and `Name:` to suppress libcurl's own line.
        func headerLines(hasBody: Bool, cookie: String?, agent: String, unpacks: Bool) -> [String] {
            var lines: [String] = []
            // libcurl sets both framing headers itself: a second value would allow request smuggling.
            var names = ["content-length", "transfer-encoding"]
            func isNew(_ name: String) -> Bool {
                if names.contains(name) { return false }
                names.append(name)
                return true
            }
            func add(_ name: String, _ value: String) {
                // The first value of a name wins, so each header is sent once.
                guard isNew(name.lowercased()) else { return }
                lines.append(value.isEmpty ? name + ";" : name + ": " + value)
            }
            // The request's own headers come first and win over the defaults.
            for (name, value) in allHTTPHeaderFields ?? [:] { add(name, value) }
            if let cookie { add("Cookie", cookie) }
            add("User-Agent", agent)
            // A range of compressed bytes can't be decompressed.
            if unpacks, !names.contains("range") { add("Accept-Encoding", "gzip, deflate") }
            // Suppress `Expect: 100-continue`: libcurl would wait for the server before sending a large body.
            if isNew("expect") { lines.append("Expect:") }
            // Without this line, some servers wait for a body or answer 411.
            if !hasBody, ["POST", "PUT", "PATCH"].contains(httpMethod ?? "GET") {
                lines.append("Content-Length: 0")
            }
            return lines
        }
    }
#endif
