public import SteplineSteps
import SteplineSupport
public import SteplineWorkflow

extension Workflow {
    /// Adds a map over the pages of a site, which grows by their links, and a task with the results.
    ///
    ///     let crawl = Crawl(from: site, agent: "notes-bot", atMost: 10_000)
    ///     let rows = try workflow.crawl("page", crawl) { page in
    ///         Row(url: page.url, title: page.html.title)
    ///     }
    ///
    /// The body is called for each HTML page once, in the order in which pages were found. Redirects, further pages
    /// with the same canonical address, pages with `noindex`, other files and pages that are refused with a status 400
    /// to 499 (except 408, 425 and 429) have no result. Another failure fails the page and, after all other pages, the
    /// crawl; a retry repeats only the failed pages. A start must lead to a page.
    ///
    /// A durable run stores each page's result with the links that it has found, and goes on with them after a kill. If
    /// it has workers, its owner loads the pages: the pauses between requests to a host hold for the whole run. Changed
    /// rules hold for pages that aren't loaded yet; with another `version` of the options all pages are loaded again.
    ///
    /// - Parameters:
    ///   - name: The name of the map. The pages' tasks are named by URL, such as `page[https://example.com/]`. The task
    ///     with the results is named `page results`.
    ///   - crawl: The rules of the crawl.
    ///   - options: The options of each page's task, such as its retries.
    ///   - body: The closure, called for each page.
    /// - Returns: A reference to the results, in the order in which the pages were found. Its `asTheyFinish` and `settled`
    ///   have the result of each page, also after a failure of other pages.
    /// - Throws: A `CrawlError` for an invalid rule, or a `WorkflowError` for an invalid option; the workflow is then
    ///   unchanged.
    @discardableResult
    public func crawl<Output: Sendable>(
        _ name: String, _ crawl: Crawl, options: TaskOptions = .init(),
        body: @escaping @Sendable (CrawledPage) async throws -> Output
    ) throws -> TaskRef<[Output]> {
        try crawl.check()
        let loader = CrawlLoader(crawl, clock: self.options.clock)
        // Not by workers: the pauses between requests to a host hold for all requests of the run.
        let pages = try growWithOwner(
            name, from: crawl.firstVisits, key: \.key, limit: crawl.limit, atMost: crawl.atMost,
            options: options
        ) { visit, more in
            let result = try await loader.load(visit)
            more.add(result.found)
            guard let page = result.page else { return CrawlResult<Output>(output: []) }
            return CrawlResult(output: [try await body(page)])
        }
        return try add("\(name) results", choosingFrom: pages) { $0.output.first }
    }
}

/// The result of one visit; empty if it found no page.
private struct CrawlResult<Output: Sendable>: Sendable {
    /// An array: the stored form of an optional doesn't tell a page whose result is nil from a visit without a page.
    let output: [Output]
}

// A durable run stores results that are Codable.
extension CrawlResult: Encodable where Output: Encodable {}
extension CrawlResult: Decodable where Output: Decodable {}
