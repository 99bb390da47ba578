public import Foundation
import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A page of a paginated list.
public struct URLPage: Sendable {
    /// The number of the page, from 1.
    public let number: Int

    /// The request of the page; begin with it to resume the list here.
    ///
    /// If its origin differs from the first request's, begin without the first request's headers in the options.
    public let request: URLRequest

    /// The body.
    public let data: Data

    /// The response.
    public let response: URLResponse

    let options: LoadOptions

    var httpResponse: HTTPURLResponse? { response as? HTTPURLResponse }

    /// Returns a request like this page's for another URL.
    ///
    /// Within the origin, user and password of this page's URL are added unless the new URL has its own. For another
    /// origin, credentials and the headers in `LoadOptions.sensitiveHeaders` are removed, also from
    /// `LoadOptions.headers`.
    ///
    /// - Throws: A ``URLPageError`` `.noPlace` if the URL is invalid or has another scheme than http or https.
    public func request(to place: String) throws -> URLRequest {
        let base = response.url ?? request.url
        guard let url = URL(string: place, relativeTo: base)?.absoluteURL,
            ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host()?.isEmpty == false
        else {
            throw URLPageError(.noPlace, number, request, "the next page is at no place that can be read")
        }
        var next = request
        next.url = url
        if url.origin == request.url?.origin {
            next.url = url.withUser(of: request.url)
        } else {
            options.leaveOutBoundHeaders(of: &next)
            if let body = next.httpBody, options.isSecret?(body) == true {
                throw URLPageError(
                    .noPlace, number, request,
                    "the next page is on another host, to which a body with a secret isn't sent")
            }
        }
        return next
    }
}

extension URL {
    /// Returns the URL with another URL's user and password, unless it has its own.
    fileprivate func withUser(of other: URL?) -> URL {
        guard user == nil, let other, other.user != nil,
            let given = URLComponents(url: other, resolvingAgainstBaseURL: true),
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        parts.percentEncodedUser = given.percentEncodedUser
        parts.percentEncodedPassword = given.percentEncodedPassword
        return parts.url ?? self
    }
}

/// An error in following pages.
public struct URLPageError: LocalizedError, CustomStringConvertible, Sendable {
    /// The kinds of failure; later versions may add more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The URL of the next page is invalid.
        public static let noPlace = Code(description: "noPlace")
        /// A page refers to an earlier page.
        public static let circle = Code(description: "circle")
        /// The number of pages exceeds the limit.
        public static let tooMany = Code(description: "tooMany")
        /// The page has no records at the expected place.
        public static let noRecords = Code(description: "noRecords")
    }

    /// The kind of failure.
    public let code: Code
    /// The number of the page, from 1.
    public let page: Int
    /// The request of the page.
    public let request: URLRequest
    private let detail: String

    init(_ code: Code, _ page: Int, _ request: URLRequest, _ detail: String) {
        self.code = code
        self.page = page
        self.request = request
        self.detail = detail
    }

    /// The error in one line: `page 3: leads back to a page before it`.
    public var description: String { "page \(page): \(detail)" }

    /// The description.
    public var errorDescription: String? { description }
}
