public import Foundation
import SteplineRequests
public import SteplineSupport

/// An error of a crawl.
public struct CrawlError: LocalizedError, ErrorWithCause, CustomStringConvertible, Sendable {
    /// The kinds of errors; later versions may add more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// A setting of the crawl is invalid.
        public static let invalidOption = Code(description: "invalidOption")
        /// The robots.txt of a site can't be loaded, so no page of the site may be loaded now.
        public static let robotsUnreachable = Code(description: "robotsUnreachable")
        /// The crawl skips the page it starts from, or the start leads to no HTML page.
        public static let startSkipped = Code(description: "startSkipped")
        /// The data of a ``Sitemap`` is damaged or too large; a crawl ignores such sitemaps.
        public static let sitemap = Code(description: "sitemap")
    }

    /// The kind of the error.
    public let code: Code
    /// The URL that the error concerns, without user and password.
    public let url: URL?
    /// A description of the error, without the URL.
    public let message: String
    /// The cause, if any.
    public let underlying: (any Error)?
    /// How long a robots.txt isn't loaded again after its failure.
    var pause: Duration?

    init(_ code: Code, _ url: URL?, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.url = url?.withoutUser
        self.message = message
        self.underlying = underlying
    }

    /// The URL, the message and the cause in one line.
    public var description: String {
        let place = url.map { "\($0.withoutSecrets): " } ?? ""
        let cause = underlying.map { ": \(ErrorText.line($0))" } ?? ""
        return "\(place)\(message)\(cause)"
    }

    /// The description.
    public var errorDescription: String? { description }
}

extension CrawlError: RetryAdvising {
    /// Whether the cause is transient, such as a server that doesn't answer.
    public var isTransient: Bool { underlying.map(RetryPolicy.isTransient) ?? false }

    /// The time after which a robots.txt is loaded again, or what the cause asks for.
    public var retryAfter: RetryAfter? {
        pause.map { RetryAfter.delay($0) } ?? underlying.flatMap(retryAdvice)?.retryAfter
    }
}
