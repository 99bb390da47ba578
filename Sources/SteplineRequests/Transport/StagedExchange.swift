import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The event reports of a transport with its own threads: a simulation receives them on its own thread, at its own
/// time.
struct StagedExchange {
    let terms: TransportTerms
    let receive: @Sendable (TransportEvent) -> Void

    init(
        _ request: URLRequest, _ terms: TransportTerms,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) {
        // No simulation: events go directly to the receiver.
        guard let factory = StageEntrance("\(request.url?.host ?? "a file") is asked over the network") else {
            self.terms = terms
            self.receive = receive
            return
        }
        var staged = terms
        if let tell = terms.onStage {
            staged.onStage = { stage in factory.pass { tell(stage) } }
        }
        if let tell = terms.onResponse {
            staged.onResponse = { response in factory.pass { tell(response) } }
        }
        self.terms = staged
        self.receive = { event in factory.pass { receive(event) } }
    }
}
