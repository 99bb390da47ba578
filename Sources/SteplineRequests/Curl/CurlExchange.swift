#if os(Linux)
    import Foundation
    import FoundationNetworking
    import SteplineSupport

    /// One exchange as all threads see it: what is asked for, and who is told what comes of it.
    final class CurlExchange: Sendable {
        let request: URLRequest
        let body: TransportBody
        let terms: TransportTerms
        private let state: Locked<State>

        /// A closure by itself, in a generic value, would be wrapped once more by each access.
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

        /// Whether nobody wants to be told any more.
        var isOver: Bool { state.withLock { $0.receive == nil } }

        /// Where cookies are taken from and put; nil for a request that wants none.
        var cookies: CookieStorage? { request.httpShouldHandleCookies ? terms.cookies : nil }

        func tell(_ stage: TransportStage) { if !isOver { terms.onStage?(stage) } }

        func tell(_ event: TransportEvent) {
            state.withLock { $0.receive }?(event)
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
            state.withLock { state in
                defer { state.receive = nil }
                return state.receive
            }
        }
    }
#endif
