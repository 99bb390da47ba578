#if os(Linux)
    import Foundation
    package import FoundationNetworking
    package import SteplineSupport

    /// The transport over libcurl itself: what Foundation's URLSession on Linux is built on, without its traps.
    ///
    /// There a server can end the process, by a connection that ends within the headers and by other means; here
    /// whatever comes ends in a typed error. All transfers share one thread, on which events are told, and one pool
    /// of connections. Cookies are the process's; proxies are those the environment names.
    package final class CurlTransport: FlowingTransport {
        /// The transport for all that has no session of its own; nil where no libcurl is to be found.
        package static let shared = CurlTransport()

        /// As with a session of Foundation's.
        private static let connectionsPerHost = 6
        /// So few that a process's limit of open files is left to others.
        private static let connectionsInAll = 256

        private let loop: CurlLoop

        /// Makes a transport with a thread of its own.
        ///
        /// `authorities` is the path of certificates that are trusted in place of the system's. Nil where no libcurl
        /// is to be found.
        package init?(authorities: String? = nil) {
            guard let library = CurlLibrary.shared else { return nil }
            let agent = "\(ProcessInfo.processInfo.processName) (unknown version) curl/\(library.version)"
            let made = CurlLoop { multi in
                multi.limitConnections(perHost: Self.connectionsPerHost, total: Self.connectionsInAll)
                return CurlWorker(multi, agent: agent, authorities: authorities)
            }
            guard let made else { return nil }
            loop = made
        }

        deinit { loop.quit() }

        package func send(
            _ request: URLRequest, body: TransportBody,
            _ receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> Subscription {
            send(request, body: body, flow: nil, receive)
        }

        package func send(
            _ request: URLRequest, body: TransportBody, flow: TransportFlow?,
            _ receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> Subscription {
            guard request.isForCurl else {
                return URLSessionTransport.shared.send(request, body: body, receive)
            }
            let exchange = CurlExchange(request, body, flow, receive)
            flow?.onRelease { [weak self, weak exchange] in
                if let self, let exchange { loop.tell(.goOn(exchange)) }
            }
            loop.tell(.begin(exchange))
            return Subscription { [self] in
                exchange.stop()
                // The transport stays alive for as long as there is something to stop.
                loop.tell(.stop(exchange))
            }
        }
    }
#endif
