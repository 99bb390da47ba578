public import Foundation
public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What went wrong in loading from a URL.
///
/// Its texts name the URL without user, password and query, and never a header.
public struct RequestError: LocalizedError, ErrorWithCause, RetryAdvising, CustomStringConvertible, Sendable {
    /// What kind of failure it is.
    public let code: Code

    /// The request's method.
    public let method: String

    /// The URL, without user and password: where a redirect has led, if there was one.
    public let url: URL?

    /// The response, as far as one came.
    public let response: URLResponse?

    /// For a refused status the first MiB of the body, else empty.
    public let body: Data

    /// Which silence was too long, for ``Code/timedOut``.
    public let phase: Phase?

    /// The cause, such as a `URLError`.
    public let underlying: (any Error)?

    /// Nil where the cause says all there is to say.
    private let detail: String?

    init(
        _ code: Code, _ detail: String?, method: String, url: URL?, response: URLResponse? = nil,
        body: Data = Data(), phase: Phase? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.detail = detail
        self.method = method
        self.url = url?.withoutUser
        self.response = response
        self.body = body
        self.phase = phase
        self.underlying = underlying
    }

    /// An error found before anything was sent.
    package init(
        _ code: Code, _ detail: String, request: URLRequest, underlying: (any Error)? = nil
    ) {
        self.init(
            code, detail, method: request.httpMethod ?? "GET", url: request.url, underlying: underlying
        )
    }

    /// The status, if a response of HTTP came.
    public var statusCode: Int? { (response as? HTTPURLResponse)?.statusCode }

    /// What the server said in the body of a refused status, as text.
    ///
    /// Bytes that aren't UTF-8 show as replacement characters.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// One readable line: `GET http://example.com/a: status 404`.
    public var description: String {
        let place = url.map(\.withoutSecrets) ?? "no URL"
        return "\(method) \(place): \(reason)"
    }

    private var reason: String {
        if let detail { return Redaction.standard.text(detail) }
        let cause = ErrorText.line(underlying)
        return code == .storage ? "can't be stored: \(cause)" : cause
    }

    /// The same line.
    public var errorDescription: String? { description }
}

extension RequestError {
    /// The kinds of failure; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The server answered with a status that isn't a success.
        public static let status = Code(description: "status")
        /// The body has more bytes than the limit allows.
        public static let tooLarge = Code(description: "tooLarge")
        /// The body ended before it was complete.
        public static let truncated = Code(description: "truncated")
        /// The peer was silent for too long, or it all took too long.
        public static let timedOut = Code(description: "timedOut")
        /// The connection couldn't be made or was lost, or what came isn't HTTP; see the cause.
        public static let connection = Code(description: "connection")
        /// The server's certificate is too old, or not valid yet.
        public static let certificateExpired = Code(description: "certificateExpired")
        /// Nobody who is trusted vouches for the server's certificate.
        public static let certificateUnknownAuthority = Code(description: "certificateUnknownAuthority")
        /// The server's certificate is another host's.
        public static let certificateWrongHost = Code(description: "certificateWrongHost")
        /// The client's own certificate is missing, can't be used, or was refused.
        public static let clientCertificate = Code(description: "clientCertificate")
        /// The two sides of TLS didn't come to terms, such as on a version; see the cause.
        public static let secureConnection = Code(description: "secureConnection")
        /// There were more redirects than are followed.
        public static let tooManyRedirects = Code(description: "tooManyRedirects")
        /// A redirect led where none is followed to.
        public static let redirectRefused = Code(description: "redirectRefused")
        /// The URL's scheme isn't among those allowed.
        public static let scheme = Code(description: "scheme")
        /// The URL can't be used.
        public static let badURL = Code(description: "badURL")
        /// The response's media type isn't among those accepted.
        public static let contentType = Code(description: "contentType")
        /// The request's method or one of its headers isn't what HTTP allows.
        public static let header = Code(description: "header")
        /// The request's body can't be read or made; see the cause.
        public static let body = Code(description: "body")
        /// What came couldn't be stored; see the cause.
        public static let storage = Code(description: "storage")
        /// There is nothing by which it could be sent, such as a libcurl that is new enough.
        public static let unavailable = Code(description: "unavailable")
    }

    /// The phases of a load that have time-outs; more may be added.
    public struct Phase: Sendable, Hashable, CustomStringConvertible {
        /// The phase's name.
        public let description: String

        /// The host's name was looked up, or a connection made.
        public static let connecting = Phase(description: "connecting")
        /// The request was sent, and no response had come.
        public static let answering = Phase(description: "answering")
        /// The body was on its way.
        public static let receiving = Phase(description: "receiving")
        /// All of it together.
        public static let total = Phase(description: "total")
    }
}
