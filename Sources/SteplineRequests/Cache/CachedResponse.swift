package import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// An answer that is kept, and how long it may be used without asking (RFC 9111).
package struct CachedResponse: Codable, Sendable {
    /// Without a word of the server's, an answer counts as fresh for a tenth of its age at the time, at most so long.
    private static let longestGuess: Double = 86_400

    let url: URL
    let headers: [String: String]
    /// What of the request the answer depends on, by names in small letters.
    let varying: [String: String]
    /// When the request was sent, and the answer came.
    let requested: Date
    let received: Date
    /// Kept beside the rest.
    package var body = Data()

    private enum CodingKeys: String, CodingKey { case url, headers, varying, requested, received }

    /// Nil for an answer that must not or can't be kept.
    package init?(
        _ response: HTTPURLResponse, to request: URLRequest, body: Data, requested: Date, received: Date
    ) {
        let control = CacheControl(response.value(forHTTPHeaderField: "Cache-Control"))
        // Behind a redirect the answer is another URL's.
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
        // What is neither fresh for a moment nor can be asked about is of no use.
        guard lifetime > 0 || validators.count > 0 else { return nil }
    }

    /// The values of a request's headers that `Vary` names; nil if it says that no request is like another.
    private static func varying(_ header: String?, _ request: URLRequest) -> [String: String]? {
        let names = (header ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
        guard !names.contains("*") else { return nil }
        return Dictionary(names.map { ($0, request.value(forHTTPHeaderField: $0) ?? "") }) { first, _ in first
        }
    }

    /// Whether it answers a request, by what `Vary` names.
    package func fits(_ request: URLRequest) -> Bool {
        url == request.url
            && varying.allSatisfy { name, value in (request.value(forHTTPHeaderField: name) ?? "") == value }
    }

    private var control: CacheControl { CacheControl(headers["cache-control"]) }

    private func date(_ name: String) -> Date? { headers[name].flatMap { HTTPDate.date(ofAnyForm: $0) } }

    /// For how many seconds it is fresh.
    var lifetime: Double {
        if let age = control.seconds("max-age") { return age }
        let sent = date("date") ?? received
        if let expires = headers["expires"] {
            return HTTPDate.date(ofAnyForm: expires).map { max(0, $0.timeIntervalSince(sent)) } ?? 0
        }
        guard let changed = date("last-modified") else { return 0 }
        return min(max(0, sent.timeIntervalSince(changed) / 10), Self.longestGuess)
    }

    /// How many seconds old it is.
    func age(at now: Date) -> Double {
        let apparent = date("date").map { max(0, received.timeIntervalSince($0)) } ?? 0
        let told = headers["age"].flatMap { Double($0) } ?? 0
        let corrected = max(0, told.isFinite ? told : 0) + max(0, received.timeIntervalSince(requested))
        return max(apparent, corrected) + max(0, now.timeIntervalSince(received))
    }

    /// Whether it may be used without asking.
    package func isFresh(at now: Date, for request: URLRequest) -> Bool {
        let asked = CacheControl(request.value(forHTTPHeaderField: "Cache-Control"))
        guard !control.has("no-cache"), !asked.has("no-cache"), !asked.has("no-store"),
            asked.has("max-age") || request.value(forHTTPHeaderField: "Pragma")?.lowercased() != "no-cache"
        else { return false }
        let age = age(at: now)
        if let most = asked.seconds("max-age"), age > most { return false }
        return age + (asked.seconds("min-fresh") ?? 0) < lifetime
    }

    /// Whether it may be used in place of an error.
    ///
    /// `allowance` is how long it may be so beyond its freshness where the server says nothing.
    package func standsIn(at now: Date, allowance: Duration?) -> Bool {
        guard !control.has("must-revalidate"), !control.has("no-cache") else { return false }
        let most = control.seconds("stale-if-error") ?? allowance.map { Double($0.components.seconds) } ?? 0
        return age(at: now) - lifetime < most
    }

    private var validators: [(question: String, value: String)] {
        [("etag", "If-None-Match"), ("last-modified", "If-Modified-Since")].compactMap { name, question in
            headers[name].flatMap { $0.isEmpty ? nil : (question, $0) }
        }
    }

    /// Asks for the answer only if it has changed; false if that can't be asked.
    package func makeConditional(_ request: inout URLRequest) -> Bool {
        for (question, value) in validators { request.setValue(value, forHTTPHeaderField: question) }
        return !validators.isEmpty
    }

    /// The same answer, with what a 304 has to say that is newer.
    package func confirmed(
        by confirmation: HTTPURLResponse, requested: Date, received: Date
    ) -> CachedResponse {
        var headers = headers
        for case (let name as String, let value as String) in confirmation.allHeaderFields {
            let name = name.lowercased()
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

    /// The response as a load tells it, with its age.
    package func response(at now: Date) -> URLResponse {
        var fields = headers
        fields["age"] = String(Int(min(age(at: now), 2_147_483_648)))
        return HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
            ?? URLResponse(
                url: url, mimeType: nil, expectedContentLength: body.count, textEncodingName: nil)
    }
}
