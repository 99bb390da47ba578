public import SteplineJSON
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Processes each record of a paginated list in order, and counts the records.
///
///     URLEachRecordStep(URLRequest(url: url), next: .link, at: "/items") { record in … }
///
/// One page is in memory at a time. `onPage` is called before the records of a page: store the page's request to resume
/// the list there later. Errors of the closures fail the step. Another attempt processes records again, unless it
/// begins at another page.
public final class URLEachRecordStep: AsyncStep<Void, Int>,
    @unchecked Sendable  // all stored properties are constant
{
    private let request: URLRequest
    private let session: URLSession?
    private let next: NextPage
    private let pointer: String
    private let maximumPages: Int
    private let loadOptions: LoadOptions
    private let onPage: (@Sendable (URLPage) async throws -> Void)?
    private let take: @Sendable (JSON) async throws -> Void

    /// Creates a step for the records at a JSON Pointer in each page.
    public init(
        _ request: URLRequest, next: NextPage, at pointer: String = "", maximumPages: Int = 10_000,
        session: URLSession? = nil, options: LoadOptions = .init(),
        onPage: (@Sendable (URLPage) async throws -> Void)? = nil,
        _ take: @escaping @Sendable (JSON) async throws -> Void
    ) {
        self.request = request
        self.session = session
        self.next = next
        self.pointer = pointer
        self.maximumPages = maximumPages
        loadOptions = options
        self.onPage = onPage
        self.take = take
        super.init()
    }

    /// The entries that the step reads: the request body, if it is an entry of the content.
    public override var inputs: [AnyContentKey] { super.inputs + loadOptions.body.declared }

    /// The errors in the settings: a forbidden scheme, or an invalid JSON Pointer.
    public override var configurationProblems: [String] {
        let load = NetworkLoad(request: request, session: session, options: loadOptions)
        let isPointer = (try? JSONPointer(pointer)) != nil
        return load.problems + (isPointer ? [] : ["\"\(pointer)\" is no JSON Pointer"])
    }

    /// Creates an unused step with the same settings and closures.
    public override func makeCopy() -> any Step {
        let copy = URLEachRecordStep(
            request, next: next, at: pointer, maximumPages: maximumPages, session: session,
            options: loadOptions,
            onPage: onPage, take)
        copy.takeOptions(of: self)
        return copy
    }

    /// Processes the records.
    ///
    /// - Throws: A `RequestError`, a ``URLPageError``, a `JSONError` for a page that isn't JSON, or the error of a
    ///   closure.
    public override func process(_ input: Void) async throws -> Int {
        var options = loadOptions
        options.body = try options.body.taken(from: content)
        let pages = URLPages(
            request, next: next, maximumPages: maximumPages, session: session, options: options,
            clock: context.clock)
        var records = try pages.records(at: pointer).makeAsyncIterator()
        var (count, page) = (0, 0)
        while let record = try await records.next() {
            if let onPage, let current = records.page, current.number != page {
                page = current.number
                try await onPage(current)
            }
            try await take(record)
            count += 1
        }
        return count
    }
}
