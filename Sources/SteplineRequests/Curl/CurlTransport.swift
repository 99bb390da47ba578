#if os(Linux)
    import Foundation
    package import FoundationNetworking
    package import SteplineSupport

    /// The transport over libcurl itself: what Foundation's URLSession on Linux is built on, without its traps.
    ///
    /// There a server can end the process, by a connection that ends within the headers and by other means; here
    /// whatever comes ends in a typed error. All transfers share one thread, on which events are told, and one pool
    /// of connections. Proxies are those the environment names.
    package final class CurlTransport: TunedTransport {
        /// The transport for all that has no session of its own; nil where no libcurl is to be found.
        package static let shared = CurlTransport()

        /// Why there is none.
        static var absence: String {
            if case .failure(let missing) = CurlLibrary.found { return missing.description }
            return "libcurl can't be set up"
        }

        /// Transports with settings for TLS, each with connections of its own: what one may use another may not.
        private static let tuned = Locked<[TLSOptions: CurlTransport]>([:])
        /// So many are kept; those that are dropped live on while they are in use.
        private static let mostTuned = 16

        /// As with a session of Foundation's.
        package let connectionsPerHost: Int? = 6

        private let loop: CurlLoop

        /// Makes a transport with a thread of its own; nil where no libcurl is to be found.
        package init?(tls: TLSOptions = .init()) {
            guard case .success(let library) = CurlLibrary.found else { return nil }
            let process = ProcessInfo.processInfo
            let agent = "\(process.processName) (unknown version) curl/\(library.version)"
            let rules = CurlRules(agent: agent, tls: CurlTLS(tls, environment: process.environment))
            guard let made = CurlLoop({ multi in CurlWorker(multi, rules) }) else { return nil }
            loop = made
        }

        deinit { loop.quit() }

        package func tuned(by tls: TLSOptions) -> (any Transport)? {
            if tls.isDefault { return self }
            if let known = Self.tuned.withLock({ $0[tls] }) { return known }
            guard let made = CurlTransport(tls: tls) else { return nil }
            let (kept, dropped) = Self.tuned.withLock { tuned in
                let dropped = tuned.count >= Self.mostTuned ? tuned : [:]
                if !dropped.isEmpty { tuned = [:] }
                let kept = tuned[tls] ?? made
                tuned[tls] = kept
                return (kept, dropped)
            }
            // Released after the lock.
            _ = dropped
            return kept
        }

        package func send(
            _ request: URLRequest, body: TransportBody,
            _ receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> Subscription {
            send(request, body: body, terms: TransportTerms(), receive)
        }

        package func send(
            _ request: URLRequest, body: TransportBody, terms: TransportTerms,
            _ receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> Subscription {
            let staged = StagedExchange(request, terms, receive)
            let exchange = CurlExchange(request, body, staged.terms, staged.receive)
            terms.flow?.onRelease { [weak self, weak exchange] in
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
