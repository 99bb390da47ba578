import Foundation
import SteplineJSON
import SteplineRequests
import SteplineRuns
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A recorded request or program call, with its response.
struct RecordedExchange: Sendable, Hashable {
    /// A request; requests with equal `key` are the same.
    struct Request: Sendable, Hashable {
        /// The HTTP method; ``program`` for a program call.
        let method: String
        /// The URL; for a program its name and arguments as a JSON list.
        let target: String
        var headers: [Header] = []
        var body = Body.none
    }

    struct Header: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// The request's body: readable text, or a digest.
    enum Body: Sendable, Hashable {
        case none
        case text(String)
        case digest(String, count: Int)
    }

    /// The response.
    struct Answer: Sendable, Hashable {
        /// The status; nil if no response came.
        var status: Int?
        var headers: [Header] = []
        var body = Data()
        /// The error that ended the response; nil if it is complete.
        var failure: Failure?
    }

    struct Failure: Sendable, Hashable {
        /// The code of `URLError`.
        let code: Int
        let text: String
    }

    var request: Request
    var answer: Answer
}

extension RecordedExchange.Request {
    /// The method of program calls.
    static let program = "RUN"

    /// Creates the record of a program call, without secrets.
    init(
        program: String, arguments: [String], environment: [String: String], input: Data?,
        hiding secrets: SecretRedactor
    ) {
        let words = ([program] + arguments).map { JSON($0) }
        self.init(
            method: Self.program, target: (try? JSON(elements: words).description) ?? program,
            headers: environment.map { ($0.key, $0.value) }, body: input ?? Data(), hiding: secrets)
    }

    /// Creates the record of a request, without secrets.
    init(_ request: URLRequest, body: TransportBody, hiding secrets: SecretRedactor) {
        let bytes: Data =
            switch body {
            case .none: Data()
            case .data(let data): data
            case .file(let file): (try? Data(contentsOf: file)) ?? Data()
            }
        let names: Set<String> = ["user-agent", "content-length"]
        let headers = (request.allHTTPHeaderFields ?? [:]).filter { !names.contains($0.key.lowercased()) }
        self.init(
            method: request.httpMethod ?? "GET", target: request.url?.absoluteString ?? "",
            headers: headers.map { name, value in
                (name, Redaction.standard.hides(name) ? Redaction.stand : value)
            }, body: bytes, hiding: secrets)
    }

    private init(
        method: String, target: String, headers: [(name: String, value: String)], body: Data,
        hiding secrets: SecretRedactor
    ) {
        self.method = method
        self.target = Self.hidden(target, secrets)
        self.headers = headers.sorted { $0.name < $1.name }.map {
            RecordedExchange.Header($0.name, $0.value, hiding: secrets)
        }
        self.body = RecordedExchange.Body(secrets.redacted(Array(body)).map { Data($0) } ?? body)
    }

    private static func hidden(_ target: String, _ secrets: SecretRedactor) -> String {
        // In a URL from a recorded response, the placeholder of a secret is percent-encoded.
        (secrets.redacted(target) ?? target)
            .replacing(/%5Bsecret%20([^%]*)%5D/) { "[secret \($0.output.1)]" }
    }

    /// Returns the request without secrets, also those that became known after it was sent.
    ///
    /// The digest of a long body stays: the body isn't kept.
    func hiding(_ secrets: SecretRedactor) -> Self {
        var body = body
        if case .text(let text) = body { body = .text(secrets.redacted(text) ?? text) }
        return Self(
            method: method, target: Self.hidden(target, secrets),
            headers: headers.map { RecordedExchange.Header($0.name, $0.value, hiding: secrets) }, body: body)
    }

    var line: String { "\(method) \(target)" }

    /// The identity of the request: without headers, except for programs, whose headers are environment variables.
    var key: Self {
        var key = self
        if method != Self.program { key.headers = [] }
        return key
    }

    /// A name for the file: a few words of the request, and a digest.
    var fileName: String {
        var place = Substring(target.prefix { $0 != "?" && $0 != "#" })
        if let slashes = place.range(of: "://") { place = place[slashes.upperBound...] }
        let words = "\(method.lowercased()) \(place)".unicodeScalars.split { scalar in
            !(scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil))
                && !"._".unicodeScalars.contains(scalar)
        }
        let slug = words.map { String($0).trimmingCharacters(in: CharacterSet(charactersIn: ".")) }
            .filter { !$0.isEmpty }.joined(separator: "-")
        var facts = line + "\n"
        if method == Self.program { facts += headers.map { "\($0.name)=\($0.value)\n" }.joined() }
        facts += "\(body)"
        let digits = SHA256.digits(Array(facts.utf8).withUnsafeBytes { SHA256.hash($0) })
        return "\(slug.prefix(60))-\(digits.prefix(8))"
    }
}

extension RecordedExchange.Header {
    /// Creates a header in one line, without secrets.
    init(_ name: String, _ value: String, hiding secrets: SecretRedactor) {
        self.name = name
        self.value = Session.oneLine(secrets.redacted(value) ?? value)
    }
}

extension RecordedExchange.Answer {
    /// Headers about the transmission rather than the content, and cookies, which are usually secrets.
    private static let dropped: Set<String> = [
        "connection", "keep-alive", "transfer-encoding", "content-encoding", "set-cookie", "date", "age",
    ]
    private static let length = "content-length"

    /// Records status and headers of a response.
    mutating func take(_ response: URLResponse) {
        let http = response as? HTTPURLResponse
        status = http?.statusCode ?? 200
        // The body is stored decompressed, so the length doesn't match.
        let isPacked = http?.value(forHTTPHeaderField: "Content-Encoding") != nil
        headers = (http?.allHeaderFields ?? [:]).compactMap { name, value in
            guard let name = name as? String, let value = value as? String,
                !Self.dropped.contains(name.lowercased()), !isPacked || name.lowercased() != Self.length
            else { return nil }
            return RecordedExchange.Header(name, value, hiding: SecretRedactor())
        }.sorted { $0.name < $1.name }
    }

    /// Returns the completed response; the length header of a complete body is dropped, since users may edit the body.
    func ended(by failure: RecordedExchange.Failure?) -> Self {
        var copy = self
        copy.failure = failure
        if failure == nil { copy.headers.removeAll { $0.name.lowercased() == Self.length } }
        return copy
    }

    /// Returns the response with all secrets removed.
    func hiding(_ secrets: SecretRedactor) -> Self {
        var copy = self
        copy.headers = headers.map {
            let isSecret = Redaction.standard.hides($0.name)
            return RecordedExchange.Header($0.name, isSecret ? Redaction.stand : $0.value, hiding: secrets)
        }
        if let body = secrets.redacted(Array(body)) { copy.body = Data(body) }
        if let failure, let text = secrets.redacted(failure.text) {
            copy.failure = RecordedExchange.Failure(code: failure.code, text: text)
        }
        return copy
    }
}

extension RecordedExchange.Body {
    private static let longestText = 64 << 10

    /// Stores text readably, unless it is long or has invisible characters.
    init(_ bytes: Data) {
        if bytes.isEmpty {
            self = .none
        } else if bytes.count <= Self.longestText, let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "\t" || !$0.isControl })
        {
            self = .text(text)
        } else {
            let hash = bytes.withUnsafeBytes { SHA256.hash($0) }
            self = .digest(SHA256.digits(hash), count: bytes.count)
        }
    }
}
