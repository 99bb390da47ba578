public import Foundation
public import SteplineRequests
public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The pages of a list, each loaded on demand.
///
///     for try await record in URLPages(url, next: .link).records(at: "/items") { print(record) }
///
/// One page is in memory at a time. The number of pages is limited, and a cycle is an error. To resume a list, begin
/// with the request of the unfinished page (``URLPage/request``). Errors are of type `RequestError` or
/// ``URLPageError``.
public struct URLPages: AsyncSequence, Sendable {
    let first: URLRequest
    let next: NextPage
    let maximumPages: Int
    let session: URLSession?
    let options: LoadOptions
    let clock: any StepClock

    /// The pages from a URL on, `maximumPages` at most; one that would follow them is an error.
    public init(
        _ url: URL, next: NextPage, maximumPages: Int = 10_000, options: LoadOptions = .init(),
        clock: any StepClock = .system
    ) {
        self.init(
            URLRequest(url: url), next: next, maximumPages: maximumPages, options: options, clock: clock)
    }

    /// The pages from a request on, `maximumPages` at most; over a session of one's own if one is given.
    public init(
        _ request: URLRequest, next: NextPage, maximumPages: Int = 10_000, session: URLSession? = nil,
        options: LoadOptions = .init(), clock: any StepClock = .system
    ) {
        first = request
        self.next = next
        self.maximumPages = maximumPages
        self.session = session
        self.options = options
        self.clock = clock
    }

    /// Returns an iterator that begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: self, request: first) }

    /// An iterator of pages.
    public struct Iterator: AsyncIteratorProtocol {
        private let pages: URLPages
        private var request: URLRequest?
        private var last: URLPage?
        private var known: Set<String> = []
        private var number = 0

        fileprivate init(pages: URLPages, request: URLRequest) {
            self.pages = pages
            self.request = request
        }

        /// Returns the next page; nil after the last.
        ///
        /// - Throws: A `RequestError`, a ``URLPageError`` for a circle or too many pages, the error of the rule, or
        ///   `CancellationError`.
        public mutating func next() async throws -> URLPage? {
            try Task.checkCancellation()
            // Find the next page only on demand: the caller may stop here.
            if let last {
                self.last = nil
                let next = try pages.next.find(last)
                if let next { try check(next, after: last) }
                // Only a request that passed the check can be sent, also by a call after the error.
                request = next
            }
            guard let request else { return nil }
            let (data, response) = try await pages.load(request)
            // A failed page isn't counted: the next call asks for it again.
            number += 1
            known.insert(Self.identity(request))
            let page = URLPage(
                number: number, request: request, data: data, response: response, options: pages.options)
            self.request = nil
            last = page
            return page
        }

        private func check(_ request: URLRequest, after page: URLPage) throws {
            if known.contains(Self.identity(request)) {
                throw URLPageError(.circle, page.number, page.request, "leads back to a page before it")
            }
            if number >= pages.maximumPages {
                throw URLPageError(
                    .tooMany, page.number, page.request, "more than \(pages.maximumPages) pages")
            }
        }

        private static func identity(_ request: URLRequest) -> String {
            let body = request.httpBody.map { $0.base64EncodedString() } ?? ""
            return "\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "") \(body)"
        }
    }

    private func load(_ request: URLRequest) async throws -> (Data, URLResponse) {
        // A plan copies the options' headers to its request, whatever its target: remove them for another origin.
        let options = request.url?.origin == first.url?.origin ? options : options.withoutBoundHeaders
        let page = try await AwaitedLoad.run(request, session: session, options: options, clock: clock)
        return (page.value, page.response)
    }
}
