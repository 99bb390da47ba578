public import SteplineJSON
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Does something with each record of a list that is loaded page by page, in order, and counts them.
///
///     URLEachRecordStep(URLRequest(url: url), next: .link, at: "/items") { record in … }
///
/// One page is in memory at a time. `onPage` is called before the records of a page: whoever keeps its request takes
/// the list up there another time. What the closures throw fails the step. Records that an attempt has handed on are
/// handed on again by the next attempt, unless it is told to begin elsewhere.
public final class URLEachRecordStep: AsyncStep<Void, Int>,
    @unchecked Sendable  // all that is stored is constant
{
    private let request: URLRequest
    private let session: URLSession?
    private let next: NextPage
    private let pointer: String
    private let maximumPages: Int
    private let loadOptions: LoadOptions
    private let onPage: (@Sendable (URLPage) async throws -> Void)?
    private let take: @Sendable (JSON) async throws -> Void

    /// Makes a step for the records that a JSON Pointer leads to in each page.
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

    /// The entries the step reads: the body to be sent, if it is an entry of the bag.
    public override var inputs: [AnyContentKey] { super.inputs + loadOptions.body.declared }

    /// What is wrong with the settings: a scheme that isn't allowed, or what is no JSON Pointer.
    public override var configurationProblems: [String] {
        let load = NetworkLoad(request: request, session: session, options: loadOptions)
        let isPointer = (try? JSONPointer(pointer)) != nil
        return load.problems + (isPointer ? [] : ["\"\(pointer)\" is no JSON Pointer"])
    }

    /// Makes an unused step with the same settings and closures.
    public override func makeCopy() -> any Step {
        let copy = URLEachRecordStep(
            request, next: next, at: pointer, maximumPages: maximumPages, session: session,
            options: loadOptions,
            onPage: onPage, take)
        copy.takeOptions(of: self)
        return copy
    }

    /// Goes through the records.
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
