import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of a long-lived session, which forwards each call to the exchange of its task.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Locked<[Int: SessionExchange]>([:])
    /// The delegate that answers challenges for the caller's own session.
    private let forwarded: (any URLSessionTaskDelegate)?

    private let calls: SessionCalls

    init(_ calls: SessionCalls, forwardingTo delegate: (any URLSessionDelegate)? = nil) {
        self.calls = calls
        forwarded = delegate as? any URLSessionTaskDelegate
    }

    func add(_ exchange: SessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    private subscript(task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    private func end(_ task: URLSessionTask, _ error: (any Error)?) {
        // Removed first: later callbacks of the task are ignored.
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.end(error)
    }

    // MARK: What a session tells

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self[dataTask]?.tell(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        self[dataTask]?.tell(.bytes(data))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        self[task]?.tell(.sent(totalBytesSent, of: totalBytesExpectedToSend))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Linux traps if a redirect of a task that is being cancelled is answered.
        guard let exchange = self[task], !exchange.isStopped else { return }
        // The session must not follow redirects: the transfer receives the response and decides.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            answer(challenge, session, task, completionHandler)
        #else
            completionHandler(.performDefaultHandling, nil)
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        #if canImport(FoundationNetworking)
            calls.letCancelReturn(task)
            // For a 3xx without a redirect, Linux reports no response before the end.
            if error == nil, let response = task.response { self[task]?.tell(response, unlessReported: true) }
        #endif
        end(task, error)
    }
}

#if canImport(FoundationNetworking)
    extension SessionDelegate {
        /// Answers a challenge, which Linux sends after the complete 401.
        ///
        /// Without a credential Linux would wait forever, so the 401 becomes the response. With a credential the answer
        /// goes through a queue, because it waits for the queue of this call.
        private func answer(
            _ challenge: URLAuthenticationChallenge, _ session: URLSession, _ task: URLSessionTask,
            _ completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let canAnswer =
                challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
                && challenge.previousFailureCount == 0
            if canAnswer, let forwarded {
                Self.answers.async {
                    forwarded.urlSession(session, task: task, didReceive: challenge) {
                        disposition, credential in
                        if disposition == .useCredential, let credential {
                            Self.answers.async { completionHandler(.useCredential, credential) }
                        } else {
                            self.giveUp(task)
                        }
                    }
                }
            } else if canAnswer, challenge.proposedCredential != nil {
                Self.answers.async { completionHandler(.performDefaultHandling, nil) }
            } else {
                giveUp(task)
            }
        }

        private func giveUp(_ task: URLSessionTask) {
            // End first: the cancellation's own error must not replace the response.
            end(task, nil)
            calls.cancel(task)
        }

        private static let answers = DispatchQueue(label: "stepline.transport.challenges")
    }
#endif
