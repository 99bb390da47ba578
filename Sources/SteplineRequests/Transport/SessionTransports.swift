import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension URLSessionTransport {
    /// Returns the transport of a caller's session, always the same one; nil returns the shared transport.
    package static func transport(for session: URLSession?) -> URLSessionTransport {
        guard let session else { return shared }
        let (transport, before) = known.withLock { known in
            let before = known.mapValues { ($0.session, $0) }
            // Sessions that were freed leave the table here.
            for (id, (session, _)) in before where session == nil { known[id] = nil }
            let transport =
                known[ObjectIdentifier(session)]?.transport ?? URLSessionTransport(session: session)
            known[ObjectIdentifier(session)] = KnownSession(session: session, transport: transport)
            return (transport, before)
        }
        // Release after unlock: the last reference to a transport ends its session, and the last one to a session frees
        // a user's delegate.
        withExtendedLifetime(before) {}
        return transport
    }

    private struct KnownSession {
        weak var session: URLSession?
        let transport: URLSessionTransport
    }

    private static let known = Locked<[ObjectIdentifier: KnownSession]>([:])
}
