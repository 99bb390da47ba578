#if os(Linux)
    import Foundation
    package import FoundationNetworking
    package import SteplineSupport

    /// The transport over libcurl, the library on which Foundation's URLSession on Linux is built.
    ///
    /// URLSession on Linux can end the process on malformed input from a server, for example a connection that closes
    /// within the headers. This transport turns every such input into a typed error.
    ///
    /// All transfers share one thread (``CurlLoop``), on which events are reported, and one pool of connections.
    /// Proxies come from the environment. Any thread may call `send`. A receiver must not block, because it would block
    /// all transfers of the transport.
    package final class CurlTransport: TunedTransport {
        /// The transport of all loads without their own session; nil if libcurl isn't available.
        package static let shared = CurlTransport()

        /// The reason why `shared` is nil.
        static var absence: String {
            if case .failure(let missing) = CurlLibrary.found { return missing.description }
            return "libcurl can't be set up"
        }

        /// The transports with TLS settings, each with its own connections: connections must not be shared across
        /// settings.
        private static let tuned = Locked<[TLSOptions: CurlTransport]>([:])
        /// The maximum number of transports kept; a removed transport lives on while it is in use.
        private static let mostTuned = 16

        /// The same limit as Foundation's sessions have.
        package let connectionsPerHost: Int? = 6

        private let loop: CurlLoop

        /// Creates a transport with its own thread; nil if libcurl isn't available.
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
            // Creating a transport starts a thread, so it happens without the lock.
            if let known = Self.tuned.withLock({ $0[tls] }) { return known }
            guard let made = CurlTransport(tls: tls) else { return nil }
            // Another thread may have stored a transport for these settings meanwhile: use that one.
            let (kept, dropped) = Self.tuned.withLock { tuned in
                let dropped = tuned.count >= Self.mostTuned ? tuned : [:]
                if !dropped.isEmpty { tuned = [:] }
                let kept = tuned[tls] ?? made
                tuned[tls] = kept
                return (kept, dropped)
            }
            // Release after unlock: the last reference to a transport ends its thread.
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
            // Weak references: the flow may outlive the transport and the exchange.
            terms.flow?.onRelease { [weak self, weak exchange] in
                if let self, let exchange { loop.tell(.resume(exchange)) }
            }
            loop.tell(.begin(exchange))
            return Subscription { [self] in
                // Stop the events at once; the loop's thread closes the connection later.
                exchange.stop()
                // The closure retains the transport as long as an exchange can be stopped.
                loop.tell(.stop(exchange))
            }
        }
    }
#endif
