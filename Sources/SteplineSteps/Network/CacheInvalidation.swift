import Foundation
import SteplineRequests

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Invalidates cached responses after an unsafe request (RFC 9111, section 4.4).
struct CacheInvalidation: Sendable {
    private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]

    private let folder: CacheFolder
    private let url: URL

    /// Creates the invalidation; nil without a cache, or for a safe method.
    init?(_ plan: TransferPlan) {
        guard let cache = plan.options.cache, let url = plan.request.url,
            !Self.safeMethods.contains((plan.request.httpMethod ?? "GET").uppercased())
        else { return nil }
        folder = cache.folder
        self.url = url
    }

    /// Invalidates responses that the request may have changed: unless it was refused, it may have had an effect.
    func end<Value>(_ end: Result<TransferResult<Value>, any Error>) {
        switch end {
        case .success(let result): forget(result.response)
        case .failure(let refused as RefusedStatus) where refused.error.url == url: break
        case .failure: forget(nil)
        }
    }

    /// Invalidates the responses for the request's URL, and for URLs of the same origin named by the response.
    func forget(_ response: URLResponse?) {
        var urls: Set<URL> = [url]
        if let place = response?.url { urls.insert(place) }
        for header in ["Location", "Content-Location"] {
            guard let text = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: header),
                let place = URL(string: text, relativeTo: response?.url ?? url)?.absoluteURL,
                place.origin == url.origin
            else { continue }
            urls.insert(place)
        }
        for url in urls { folder.forget(url) }
    }
}
