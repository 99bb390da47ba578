#if os(Linux)
    import Foundation
    import FoundationNetworking
    import SteplineSupport

    /// An exchange as all threads see it: the request and the receiver of its events.
    ///
    /// The caller's threads and the loop's thread share this object. The receiver is released exactly once: at the end
    /// or at a stop. No event is reported afterwards.
    final class CurlExchange: Sendable {
        let request: URLRequest
        let body: TransportBody
        let terms: TransportTerms
        private let state: Locked<State>

        /// A struct, because a closure as a generic value would be wrapped again by each access.
        private struct State {
            var receive: (@Sendable (TransportEvent) -> Void)?
        }

        init(
            _ request: URLRequest, _ body: TransportBody, _ terms: TransportTerms,
            _ receive: @escaping @Sendable (TransportEvent) -> Void
        ) {
            self.request = request
            self.body = body
            self.terms = terms
            state = Locked(State(receive: receive))
        }

        /// Whether no events are wanted any more.
        var isOver: Bool { state.withLock { $0.receive == nil } }

        /// The cookie jar of the exchange; nil if the request handles no cookies.
        var cookies: CookieStorage? { request.httpShouldHandleCookies ? terms.cookies : nil }

        func tell(_ stage: TransportStage) { if !isOver { terms.onStage?(stage) } }

        func tell(_ response: TransferResponse) {
            guard let report = terms.onResponse else { return tell(.response(response.object)) }
            if !isOver { report(response) }
        }

        func tell(_ event: TransportEvent) {
            // Copied under the lock and called without it: the receiver is user code.
            state.withLock { $0.receive }?(event)
        }

        /// Reports the end, once.
        func end(_ error: (any Error)?) {
            take()?(.ended(error))
        }

        /// Stops all events.
        func stop() {
            // Release the receiver after unlock.
            _ = take()
        }

        private func take() -> (@Sendable (TransportEvent) -> Void)? {
            state.withLock { state in
                defer { state.receive = nil }
                return state.receive
            }
        }
    }
#endif
