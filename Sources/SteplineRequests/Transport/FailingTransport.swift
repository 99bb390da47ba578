import Foundation
import SteplineEngine
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that fails every request for a given reason.
struct FailingTransport: Transport {
    let code: RequestError.Code
    let reason: String

    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        let error = RequestError(code, reason, request: request)
        Workers.shared.perform { _ in receive(.ended(error)) }
        return Subscription {}
    }
}
