public import Foundation
import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// One page of a list that is loaded page by page.
public struct URLPage: Sendable {
    /// The page's number, from 1.
    public let number: Int

    /// The request that brought it: to load the list from here another time, begin with it.
    ///
    /// If it goes to another origin than the first one did, begin without the first one's headers in the options.
    public let request: URLRequest

    /// Its bytes.
    public let data: Data

    /// Its response.
    public let response: URLResponse

    let options: LoadOptions

    var httpResponse: HTTPURLResponse? { response as? HTTPURLResponse }

    /// The request for another page: as this one's, but to another place.
    ///
    /// Within the origin, user and password of this one's URL go along, unless the place names others.
    /// On the way to another origin the request's credentials are left out, and the headers that
    /// `LoadOptions.sensitiveHeaders` names; such in `LoadOptions.headers` don't go there either. Throws if the
    /// place can't be read, or isn't reached by http or https.
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
    /// The URL with the user and password of another one, unless it has a user of its own.
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

/// Why pages couldn't be followed.
public struct URLPageError: LocalizedError, CustomStringConvertible, Sendable {
    /// The kinds of failure; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The place of the next page can't be read.
        public static let noPlace = Code(description: "noPlace")
        /// A page leads to one that was loaded before.
        public static let circle = Code(description: "circle")
        /// There are more pages than the limit allows.
        public static let tooMany = Code(description: "tooMany")
        /// There are no records where they were expected.
        public static let noRecords = Code(description: "noRecords")
    }

    /// What kind of failure it is.
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

    /// One line: `page 3: leads back to a page before it`.
    public var description: String { "page \(page): \(detail)" }

    /// The same line.
    public var errorDescription: String? { description }
}
