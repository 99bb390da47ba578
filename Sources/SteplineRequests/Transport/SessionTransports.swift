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
        let (transport, before) = known.withLock { known in
            let before = known.mapValues { ($0.session, $0) }
            for (id, (session, _)) in before where session == nil { known[id] = nil }
            let transport =
                known[ObjectIdentifier(session)]?.transport ?? URLSessionTransport(session: session)
            known[ObjectIdentifier(session)] = KnownSession(session: session, transport: transport)
            return (transport, before)
        }
        // Released after the lock: the last reference to a transport ends its session, and that to a session is its
        // user's delegate.
        withExtendedLifetime(before) {}
        return transport
    }

    private struct KnownSession {
        weak var session: URLSession?
        let transport: URLSessionTransport
    }

    private static let known = Locked<[ObjectIdentifier: KnownSession]>([:])
}
