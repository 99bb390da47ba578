import Foundation
import SteplinePipeline
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A load through a cache.
struct CachedLoad: Sendable {
    private let cache: HTTPCache
    private let name: String
    private let request: URLRequest
    private let clock: any StepClock
    private let began: Date
    private let stored: CachedResponse?

    /// Makes the plan's request conditional if a cached response exists; nil without a cache, or if the request can't
    /// be cached.
    init?(_ plan: inout TransferPlan, clock: any StepClock) {
        guard let cache = plan.options.cache, !plan.hasBody,
            plan.request.cachePolicy == .useProtocolCachePolicy,
            let name = CacheFolder.name(
                of: plan.request,
                cookie: plan.options.cookies.storage?.knownHeader(for: plan.request.url, at: clock.now),
                sensitive: plan.options.sensitiveHeaders)
        else { return nil }
        self.cache = cache
        self.name = name
        self.clock = clock
        request = plan.request
        began = clock.now
        let found = cache.folder.answer(name, to: plan.request)
        // Another response isn't confirmed by 304 either: the server sends it again, and it is refused as a new one.
        stored = found.flatMap { $0.isAccepted(by: plan.options) ? $0 : nil }
        if let stored, stored.makeConditional(&plan.request) { plan.isRevalidating = true }
    }

    /// The cached response if it is fresh.
    var fresh: CachedResponse? { stored.flatMap { $0.isFresh(at: began, for: request) ? $0 : nil } }

    /// Returns the final result of the load and its source; stores a new response or revalidates the cached one.
    func end(
        _ end: Result<TransferResult<Data>, any Error>
    ) -> (end: Result<TransferResult<Data>, any Error>, source: LoadSource) {
        let now = clock.now
        switch end {
        case .success(let result):
            guard let http = result.response as? HTTPURLResponse else { return (end, .network) }
            if let stored, http.statusCode == 304 {
                let confirmed = stored.confirmed(by: http, requested: began, received: now)
                cache.folder.keep(confirmed, as: name)
                return (.success(confirmed.result(at: now)), .cache)
            }
            cache.folder.keep(
                CachedResponse(http, to: request, body: result.value, requested: began, received: now),
                as: name)
            return (end, .network)
        case .failure(let error):
            let refusal = (error as? RefusedStatus)?.error ?? error as? RequestError
            guard let stored, refusal?.isOfServer == true,
                stored.standsIn(at: now, allowance: cache.staleIfError)
            else { return (end, .network) }
            return (.success(stored.result(at: now)), .cache)
        }
    }
}

extension CachedResponse {
    /// Returns the cached response as the result of a load.
    func result(at now: Date) -> TransferResult<Data> {
        TransferResult(value: body, response: response(at: now))
    }
}

extension RequestError {
    /// Whether the server was unreachable or failed, so that a stale response may be used.
    fileprivate var isOfServer: Bool {
        switch code {
        case .connection, .timedOut, .truncated: true
        case .status: statusCode.map { [500, 502, 503, 504].contains($0) } ?? false
        default: false
        }
    }
}
