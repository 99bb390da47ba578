public import Foundation
public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An error of loading from a URL.
///
/// Its texts contain the URL without user, password and query, and never a header.
public struct RequestError: LocalizedError, ErrorWithCause, RetryAdvising, CustomStringConvertible, Sendable {
    /// The kind of error.
    public let code: Code

    /// The request's method.
    public let method: String

    /// The URL without user and password; after redirects the last one.
    public let url: URL?

    /// The response, if one arrived.
    public let response: URLResponse?

    /// The first MiB of the body of a failed status; otherwise empty.
    public let body: Data

    /// The phase that exceeded its time limit, for ``Code/timedOut``.
    public let phase: Phase?

    /// The cause, such as a `URLError`.
    public let underlying: (any Error)?

    /// The text of the error; nil if the cause is the complete text.
    private let detail: String?

    init(
        _ code: Code, _ detail: String?, method: String, url: URL?, response: URLResponse? = nil,
        body: Data = Data(), phase: Phase? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.detail = detail
        self.method = method
        // Errors are logged and shown: their URL must not contain a password.
        self.url = url?.withoutUser
        self.response = response
        self.body = body
        self.phase = phase
        self.underlying = underlying
    }

    /// Creates an error that was found before the request was sent.
    package init(
        _ code: Code, _ detail: String, request: URLRequest, underlying: (any Error)? = nil
    ) {
        self.init(
            code, detail, method: request.httpMethod ?? "GET", url: request.url, underlying: underlying
        )
    }

    /// The status of an HTTP response.
    public var statusCode: Int? { (response as? HTTPURLResponse)?.statusCode }

    /// The body of a failed status as text.
    ///
    /// Bytes that aren't UTF-8 become replacement characters.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The error as a single line: `GET http://example.com/a: status 404`.
    public var description: String {
        let place = url.map(\.withoutSecrets) ?? "no URL"
        return "\(method) \(place): \(reason)"
    }

    private var reason: String {
        // A detail may quote text of the peer, such as a media type.
        if let detail { return Redaction.standard.text(detail) }
        let cause = ErrorText.line(underlying)
        return code == .storage ? "can't be stored: \(cause)" : cause
    }

    /// The error as a single line.
    public var errorDescription: String? { description }
}

extension RequestError {
    /// The kinds of error; later versions may add further kinds.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The server answered with a status that isn't a success.
        public static let status = Code(description: "status")
        /// The body exceeds the size limit.
        public static let tooLarge = Code(description: "tooLarge")
        /// The body ended before it was complete.
        public static let truncated = Code(description: "truncated")
        /// The peer was silent for too long, or the whole load took too long.
        public static let timedOut = Code(description: "timedOut")
        /// The connection failed or was lost, or the response isn't HTTP; see the cause.
        public static let connection = Code(description: "connection")
        /// The server's certificate has expired or isn't valid yet.
        public static let certificateExpired = Code(description: "certificateExpired")
        /// The server's certificate was issued by an unknown authority.
        public static let certificateUnknownAuthority = Code(description: "certificateUnknownAuthority")
        /// The server's certificate belongs to another host.
        public static let certificateWrongHost = Code(description: "certificateWrongHost")
        /// The client's certificate is missing, unusable, or was rejected.
        public static let clientCertificate = Code(description: "clientCertificate")
        /// The TLS handshake failed, for example because of the version; see the cause.
        public static let secureConnection = Code(description: "secureConnection")
        /// The limit of redirects was exceeded.
        public static let tooManyRedirects = Code(description: "tooManyRedirects")
        /// A redirect led to a forbidden place.
        public static let redirectRefused = Code(description: "redirectRefused")
        /// The URL's scheme isn't allowed.
        public static let scheme = Code(description: "scheme")
        /// The URL is invalid.
        public static let badURL = Code(description: "badURL")
        /// The response's media type isn't accepted.
        public static let contentType = Code(description: "contentType")
        /// The request's method or a header is invalid in HTTP.
        public static let header = Code(description: "header")
        /// The request's body can't be read or encoded; see the cause.
        public static let body = Code(description: "body")
        /// The response can't be stored; see the cause.
        public static let storage = Code(description: "storage")
        /// The options ask for something that this kind of load doesn't do, such as reusing a response.
        public static let unsupported = Code(description: "unsupported")
        /// No transport is available, for example because libcurl is too old.
        public static let unavailable = Code(description: "unavailable")
    }

    /// The phases of a load that have time limits; later versions may add further phases.
    public struct Phase: Sendable, Hashable, CustomStringConvertible {
        /// The phase's name.
        public let description: String

        /// The host name was being resolved, or the connection established.
        public static let connecting = Phase(description: "connecting")
        /// The request was sent and no response had arrived.
        public static let answering = Phase(description: "answering")
        /// The body was being received.
        public static let receiving = Phase(description: "receiving")
        /// The whole load.
        public static let total = Phase(description: "total")
    }
}

extension RequestError: ErrorWithStatus {}
