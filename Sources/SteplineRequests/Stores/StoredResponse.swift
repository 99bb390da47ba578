package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A stored response with its validators.
package struct StoredResponse: Codable, Sendable {
    let url: URL
    let headers: [String: String]
    /// The identity of the file with the body, for a download.
    package let fileMark: String?
    /// The hash of the jar's cookies for the request; nil if there were none.
    package let jarMark: String?
    /// The body, which is stored separately in files.
    var body = Data()

    private enum CodingKeys: String, CodingKey { case url, headers, fileMark, jarMark }

    /// Creates an entry; nil if the response must not or can't be stored.
    package init?(
        _ response: HTTPURLResponse, body: Data, fileMark: String? = nil, jarMark: String? = nil
    ) {
        guard response.statusCode == 200, let url = response.url, !response.forbidsKeeping else { return nil }
        var headers: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers[name] = value
        }
        self.url = url
        self.headers = headers
        self.body = body
        self.fileMark = fileMark
        self.jarMark = jarMark
        // Without a validator no request could be made conditional: the entry would have no use.
        guard value(of: "ETag") != nil || value(of: "Last-Modified") != nil else { return nil }
    }

    private func value(of name: String) -> String? {
        headers.first { $0.key.lowercased() == name.lowercased() && !$0.value.isEmpty }?.value
    }

    /// The final URL after all redirects.
    package var place: URL { url }

    /// The body.
    package var data: Data { body }

    /// Adds the validators to a request.
    package func makeConditional(_ request: inout URLRequest) {
        if let tag = value(of: "ETag") { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
        if let date = value(of: "Last-Modified") {
            request.setValue(date, forHTTPHeaderField: "If-Modified-Since")
        }
    }

    /// Returns the stored response with the newer headers of a 304 response.
    package func response(confirmedBy confirmation: HTTPURLResponse) -> URLResponse {
        var fields = headers
        for case (let name as String, let value as String) in confirmation.allHeaderFields {
            // These headers describe the empty body of the 304, not the stored body.
            let isOfBody = ["content-length", "content-encoding", "transfer-encoding"].contains(
                name.lowercased())
            guard !isOfBody else { continue }
            // The name may be spelled in another way than before.
            for old in fields.keys where old.lowercased() == name.lowercased() { fields[old] = nil }
            fields[name] = value
        }
        return HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
            ?? confirmation
    }
}

extension HTTPURLResponse {
    fileprivate var forbidsKeeping: Bool {
        let control = value(forHTTPHeaderField: "Cache-Control")?.lowercased() ?? ""
        let vary = value(forHTTPHeaderField: "Vary") ?? ""
        return control.contains("no-store") || vary.contains("*")
    }
}

extension ResponseStore {
    /// Returns the name for a request's response; nil if the response isn't stored.
    package static func name(of request: URLRequest, file: String? = nil) -> String? {
        let headers = request.allHTTPHeaderFields ?? [:]
        let names = Set(headers.keys.map { $0.lowercased() })
        let own: Set = ["if-none-match", "if-modified-since", "if-match", "if-range", "range"]
        guard (request.httpMethod ?? "GET") == "GET", let url = request.url,
            ["http", "https"].contains(url.scheme?.lowercased() ?? ""), names.isDisjoint(with: own)
        else { return nil }
        // All headers are part of the name: any of them may select a version.
        let lines = headers.map { "\($0.key.lowercased()): \($0.value)" }.sorted()
        return mark(of: ([url.absoluteString, file ?? ""] + lines).joined(separator: "\n"))
    }

    /// Returns a hash of a text, which doesn't reveal secret headers.
    private static func mark(of text: String) -> String {
        [UInt64(14_695_981_039_346_656_037), 7_809_847_782_465_536_322]
            .map { String(checksum(of: Data(text.utf8), seed: $0), radix: 16) }.joined(separator: "-")
    }

    /// Returns a hash of cookies; nil if there are none.
    package static func mark(ofCookies headers: [String?]) -> String? {
        headers.contains { $0 != nil } ? mark(of: headers.map { $0 ?? "" }.joined(separator: "\n")) : nil
    }
}

/// Returns a checksum against accidental changes; it doesn't resist attacks.
func checksum(of data: Data, seed: UInt64 = 14_695_981_039_346_656_037) -> UInt64 {
    data.withUnsafeBytes { bytes in
        var sum = seed ^ UInt64(bytes.count)
        var index = 0
        // Eight bytes per step: bodies may have many megabytes.
        while index + 8 <= bytes.count {
            sum = mixed(sum, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        while index < bytes.count {
            sum = mixed(sum, UInt64(bytes[index]))
            index += 1
        }
        return sum
    }
}

private func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let product = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product >> 29)
}
