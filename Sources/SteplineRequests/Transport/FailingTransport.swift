import Foundation
import SteplineEngine
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that fails every request with a given error.
struct FailingTransport: Transport {
    let error: @Sendable (URLRequest) -> any Error

    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        let error = self.error(request)
        // A transport must not report on its caller's stack.
        Workers.shared.perform { _ in receive(.ended(error)) }
        return Subscription {}
    }
}
