import Foundation
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that forwards requests and records the responses.
final class RecordingTransport: TunedTransport {
    private let inner: any Transport
    private let recorder: FlowRecorder

    init(over inner: any Transport, _ recorder: FlowRecorder) {
        self.inner = inner
        self.recorder = recorder
    }

    var connectionsPerHost: Int? { (inner as? any TunedTransport)?.connectionsPerHost }

    func tuned(by tls: TLSOptions) -> (any Transport)? {
        (inner as? any TunedTransport)?.tuned(by: tls).map { RecordingTransport(over: $0, recorder) }
    }

    func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        send(request, body: body, terms: TransportTerms(), receive)
    }

    func send(
        _ request: URLRequest, body: TransportBody, terms: TransportTerms,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        let asked = RecordedExchange.Request(request, body: body, hiding: recorder.secrets)
        let answer = AnswerInProgress(asked, recorder)
        let listen: @Sendable (TransportEvent) -> Void = { event in
            answer.take(event)
            receive(event)
        }
        // The recording reads responses from the events.
        var terms = terms
        terms.onResponse = nil
        let sent =
            (inner as? any TunedTransport)?.send(request, body: body, terms: terms, listen)
            ?? inner.send(request, body: body, listen)
        return Subscription {
            sent.cancel()
            answer.stop()
        }
    }
}

/// A response that is being received.
private final class AnswerInProgress: Sendable {
    private struct State {
        var answer = RecordedExchange.Answer()
        var hasEnded = false
        var isTooLarge = false
    }

    private let request: RecordedExchange.Request
    private let recorder: FlowRecorder
    private let state = Locked(State())

    init(_ request: RecordedExchange.Request, _ recorder: FlowRecorder) {
        self.request = request
        self.recorder = recorder
    }

    func take(_ event: TransportEvent) {
        switch event {
        case .sent: break
        case .response(let response): state.withLock { $0.answer.take(response) }
        case .bytes(let bytes):
            state.withLock { state in
                guard !state.isTooLarge else { return }
                state.answer.body.append(bytes)
                guard state.answer.body.count > FlowRecorder.mostBytes else { return }
                state.isTooLarge = true
                state.answer.body = Data()
            }
        case .ended(nil): end(nil)
        case .ended(let error?):
            let code = (error as? URLError)?.code ?? .unknown
            let text = error is URLError ? error.localizedDescription : ErrorText.line(error)
            end(RecordedExchange.Failure(code: code.rawValue, text: text))
        }
    }

    /// Records that the caller stopped reading, after a timeout or too many bytes.
    func stop() {
        // The body of a redirect isn't needed.
        let isRedirect = state.withLock { 300...399 ~= $0.answer.status ?? 0 }
        end(isRedirect ? nil : .init(code: URLError.timedOut.rawValue, text: "stopped before its end"))
    }

    private func end(_ failure: RecordedExchange.Failure?) {
        let end: State? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            state.answer = state.answer.ended(by: failure)
            return state
        }
        guard let end else { return }
        if end.isTooLarge { recorder.noteTooLarge(request) } else { recorder.keep(request, end.answer) }
    }
}
