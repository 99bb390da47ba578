import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension URLSessionTransport {
    /// The transport for a caller's session, always the same one; the shared one for none.
    package static func transport(for session: URLSession?) -> URLSessionTransport {
        guard let session else { return shared }
        let (transport, dead) = known.withLock { known in
            let dead = known.filter { $0.value.session == nil }
            for entry in dead { known[entry.key] = nil }
            let transport =
                known[ObjectIdentifier(session)]?.transport ?? URLSessionTransport(session: session)
            known[ObjectIdentifier(session)] = KnownSession(session: session, transport: transport)
            return (transport, dead)
        }
        // Released after the lock: the last reference to a transport ends its session.
        _ = dead
        return transport
    }

    private struct KnownSession {
        weak var session: URLSession?
        let transport: URLSessionTransport
    }

    private static let known = Locked<[ObjectIdentifier: KnownSession]>([:])
}
