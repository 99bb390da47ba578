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
        /// The crawl skips the page it starts from.
        public static let startSkipped = Code(description: "startSkipped")
        /// A sitemap is damaged, or exceeds a limit.
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
