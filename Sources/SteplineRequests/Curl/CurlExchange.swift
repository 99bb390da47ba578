#if os(Linux)
    import Foundation
    import FoundationNetworking
    import SteplineSupport

    /// One exchange as all threads see it: what is asked for, and who is told what comes of it.
    final class CurlExchange: Sendable {
        let request: URLRequest
        let body: TransportBody
        let flow: TransportFlow?
        private let receive: Locked<(@Sendable (TransportEvent) -> Void)?>

        init(
            _ request: URLRequest, _ body: TransportBody, _ flow: TransportFlow?,
            _ receive: @escaping @Sendable (TransportEvent) -> Void
        ) {
            self.request = request
            self.body = body
            self.flow = flow
            self.receive = Locked(receive)
        }

        /// Whether nobody wants to be told any more.
        var isOver: Bool { receive.withLock { $0 == nil } }

        func tell(_ event: TransportEvent) {
            receive.withLock { $0 }?(event)
        }

        /// Tells the end, once.
        func end(_ error: (any Error)?) {
            take()?(.ended(error))
        }

        /// Nobody is told anything from here on.
        func stop() {
            // Released after the lock.
            _ = take()
        }

        private func take() -> (@Sendable (TransportEvent) -> Void)? {
            receive.withLock { receive in
                defer { receive = nil }
                return receive
            }
        }
    }
#endif
