package import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A stored response and its freshness (RFC 9111).
package struct CachedResponse: Codable, Sendable {
    /// The maximum heuristic freshness: without an explicit lifetime, a response is fresh for a tenth of its age.
    private static let longestGuess: Double = 86_400

    let url: URL
    let headers: [String: String]
    /// The request headers that select the response, by lowercase name.
    let varying: [String: String]
    /// The time of the request, and of the response.
    let requested: Date
    let received: Date
    /// The body, which is stored separately.
    package var body = Data()

    private enum CodingKeys: String, CodingKey { case url, headers, varying, requested, received }

    /// Creates an entry; nil if the response must not or can't be stored.
    package init?(
        _ response: HTTPURLResponse, to request: URLRequest, body: Data, requested: Date, received: Date
    ) {
        let control = CacheControl(response.value(forHTTPHeaderField: "Cache-Control"))
        // After a redirect the response belongs to another URL.
        guard response.statusCode == 200, let url = request.url, response.url == url,
            !control.has("no-store"), response.value(forHTTPHeaderField: "Set-Cookie") == nil,
            !CacheControl(request.value(forHTTPHeaderField: "Cache-Control")).has("no-store"),
            let varying = Self.varying(response.value(forHTTPHeaderField: "Vary"), request)
        else { return nil }
        self.url = url
        self.varying = varying
        self.requested = requested
        self.received = received
        self.body = body
        var headers: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers[name.lowercased()] = value
        }
        self.headers = headers
        // A response that is never fresh and has no validator is useless.
        guard lifetime > 0 || validators.count > 0 else { return nil }
    }

    /// Returns the request headers named in `Vary`; nil if `Vary` contains `*`.
    private static func varying(_ header: String?, _ request: URLRequest) -> [String: String]? {
        let names = (header ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
        // `Vary: *` means that no other request matches.
        guard !names.contains("*") else { return nil }
        return Dictionary(names.map { ($0, request.value(forHTTPHeaderField: $0) ?? "") }) { first, _ in first
        }
    }

    /// Returns whether the response matches a request, by URL and `Vary`.
    package func fits(_ request: URLRequest) -> Bool {
        url == request.url
            && varying.allSatisfy { name, value in (request.value(forHTTPHeaderField: name) ?? "") == value }
    }

    /// Returns whether a load with these options accepts the size and the type of the body.
    package func isAccepted(by options: LoadOptions) -> Bool {
        body.count <= options.mostBytes && options.accepts(headers["content-type"]?.mediaType)
    }

    private var control: CacheControl { CacheControl(headers["cache-control"]) }

    private func date(_ name: String) -> Date? { headers[name].flatMap { HTTPDate.date(ofAnyForm: $0) } }

    /// The lifetime in seconds: the explicit one, or a heuristic.
    var lifetime: Double {
        // The order of precedence in RFC 9111, section 4.2.1.
        if let age = control.seconds("max-age") { return age }
        // A server without a clock sends no `Date`: use the time of receipt.
        let sent = date("date") ?? received
        if let expires = headers["expires"] {
            // An invalid date, such as "0", means already expired.
            return HTTPDate.date(ofAnyForm: expires).map { max(0, $0.timeIntervalSince(sent)) } ?? 0
        }
        guard let changed = date("last-modified") else { return 0 }
        return min(max(0, sent.timeIntervalSince(changed) / 10), Self.longestGuess)
    }

    /// Returns the age in seconds (RFC 9111, section 4.2.3).
    func age(at now: Date) -> Double {
        let apparent = date("date").map { max(0, received.timeIntervalSince($0)) } ?? 0
        // `Age` comes from the peer and may be any text.
        let reported = headers["age"].flatMap { Double($0) } ?? 0
        let corrected =
            max(0, reported.isFinite ? reported : 0) + max(0, received.timeIntervalSince(requested))
        return max(apparent, corrected) + max(0, now.timeIntervalSince(received))
    }

    /// Returns whether the response may be used without validation.
    package func isFresh(at now: Date, for request: URLRequest) -> Bool {
        let asked = CacheControl(request.value(forHTTPHeaderField: "Cache-Control"))
        // `Pragma: no-cache` counts only if the request's `Cache-Control` has no `max-age`.
        guard !control.has("no-cache"), !asked.has("no-cache"), !asked.has("no-store"),
            asked.has("max-age") || request.value(forHTTPHeaderField: "Pragma")?.lowercased() != "no-cache"
        else { return false }
        // Both sides may limit the age: the server with the lifetime, the request with `max-age` and `min-fresh`.
        let age = age(at: now)
        if let most = asked.seconds("max-age"), age > most { return false }
        return age + (asked.seconds("min-fresh") ?? 0) < lifetime
    }

    /// Returns whether the response may replace an error.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - allowance: The time beyond its freshness that a response may be used if the server names none.
    /// - Returns: Whether the response may be used.
    package func standsIn(at now: Date, allowance: Duration?) -> Bool {
        // The server forbids the use of a stale response, even after an error.
        guard !control.has("must-revalidate"), !control.has("no-cache") else { return false }
        let most = control.seconds("stale-if-error") ?? allowance.map { Double($0.components.seconds) } ?? 0
        // The age beyond the lifetime counts, not the age itself.
        return age(at: now) - lifetime < most
    }

    private var validators: [(question: String, value: String)] {
        [("etag", "If-None-Match"), ("last-modified", "If-Modified-Since")].compactMap { name, question in
            headers[name].flatMap { $0.isEmpty ? nil : (question, $0) }
        }
    }

    /// Adds the validators to a request; returns false if there are none.
    package func makeConditional(_ request: inout URLRequest) -> Bool {
        for (question, value) in validators { request.setValue(value, forHTTPHeaderField: question) }
        return !validators.isEmpty
    }

    /// Returns the response with the newer headers of a 304 response.
    package func confirmed(
        by confirmation: HTTPURLResponse, requested: Date, received: Date
    ) -> CachedResponse {
        var headers = headers
        for case (let name as String, let value as String) in confirmation.allHeaderFields {
            let name = name.lowercased()
            // These headers describe the empty body of the 304, not the stored body.
            if !["content-length", "content-encoding", "transfer-encoding"].contains(name) {
                headers[name] = value
            }
        }
        return CachedResponse(self, headers, requested, received)
    }

    private init(
        _ other: CachedResponse, _ headers: [String: String], _ requested: Date, _ received: Date
    ) {
        self.headers = headers
        (url, varying, body) = (other.url, other.varying, other.body)
        (self.requested, self.received) = (requested, received)
    }

    /// Returns the response with its current age, as the load delivers it.
    package func response(at now: Date) -> URLResponse {
        var fields = headers
        fields["age"] = String(Int(min(age(at: now), 2_147_483_648)))
        return HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
            ?? URLResponse(
                url: url, mimeType: nil, expectedContentLength: body.count, textEncodingName: nil)
    }
}
