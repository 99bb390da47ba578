import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How a transport with threads of its own tells of an exchange: in a simulation on that one's thread, whose time it goes by.
struct StagedExchange {
    let terms: TransportTerms
    let receive: @Sendable (TransportEvent) -> Void

    init(
        _ request: URLRequest, _ terms: TransportTerms,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) {
        guard let door = StageDoor("\(request.url?.host ?? "a file") is asked over the network") else {
            self.terms = terms
            self.receive = receive
            return
        }
        var staged = terms
        if let tell = terms.onStage {
            staged.onStage = { stage in door.pass { tell(stage) } }
        }
        self.terms = staged
        self.receive = { event in door.pass { receive(event) } }
    }
}
