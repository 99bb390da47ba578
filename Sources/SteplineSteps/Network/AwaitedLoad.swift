import Foundation
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A load outside of a step, for Swift's `await`.
enum AwaitedLoad {
    /// Loads a request into memory, through the cache of the options if they have one.
    ///
    /// Cancelling the waiting Swift task stops the transfer.
    static func run(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions, clock: any StepClock
    ) async throws -> TransferResult<Data> {
        try options.refuseReuse(of: request, by: "a load of pages", caches: true)
        var plan = try TransferPlan(request, options, session: session)
        let cached = CachedLoad(&plan, clock: clock)
        if let fresh = cached?.fresh?.result(at: clock.now) { return fresh }
        let end = OneShot<Result<TransferResult<Data>, any Error>>()
        // The transport's thread resumes the task, unless files are written first.
        let endsOnTransport = cached == nil && options.cookies.storage?.hasFile != true
        let transfer = Transfer(
            plan, to: MemorySink(), over: NetworkTransport.transport(for: session, options), clock: clock,
            endsOnTransport: endsOnTransport, report: { _ in }
        ) { end.fulfill(cached?.end($0).end ?? $0) }
        return try await withTaskCancellationHandler {
            transfer.start()
            return try await end.value.mapError { ($0 as? RefusedStatus)?.error ?? $0 }.get()
        } onCancel: {
            transfer.cancel()
            end.fulfill(.failure(CancellationError()))
        }
    }
}
