import Foundation
import SteplineRequests

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a request that changes things on its server makes of the answers in a cache (RFC 9111, section 4.4).
struct CacheInvalidation: Sendable {
    private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]

    private let folder: CacheFolder
    private let url: URL

    /// Nil for a load without a cache, and for a method that changes nothing.
    init?(_ plan: TransferPlan) {
        guard let cache = plan.options.cache, let url = plan.request.url,
            !Self.safeMethods.contains((plan.request.httpMethod ?? "GET").uppercased())
        else { return nil }
        folder = cache.folder
        self.url = url
    }

    /// Forgets what the load may have made old: all but a refusal leaves it open whether the request has had its effect.
    func end<Value>(_ end: Result<TransferResult<Value>, any Error>) {
        switch end {
        case .success(let result): forget(result.response)
        case .failure(let refused as RefusedStatus) where refused.error.url == url: break
        case .failure: forget(nil)
        }
    }

    /// Forgets the answers for the request's URL, and for the places of the same origin that the response names.
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
