public import Foundation
import SteplineRequests
public import SteplineXML

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A page that a crawl has loaded.
public struct CrawledPage: Sendable {
    /// The URL in normal form.
    public let url: URL
    /// The number of links from a start to the page.
    public let depth: Int
    /// The parsed page.
    public let html: XML.Document
    /// The bytes of the page.
    public let data: Data
    let received: TransferResponse

    /// The response.
    public var response: HTTPURLResponse {
        // The loader makes pages of HTTP responses only, so the second response is never made.
        received.object as? HTTPURLResponse
            ?? HTTPURLResponse(
                url: url, statusCode: received.status ?? 200, httpVersion: nil, headerFields: nil)!
    }

    /// The links to other pages, also those that the crawl doesn't follow.
    public var links: [XML.Link] { html.links(at: url) }
}
