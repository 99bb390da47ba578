import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An exchange over a session: its task and the receiver of its events.
///
/// The receiver is released exactly once, at the end or at a stop; no event is reported afterwards. The task may be
/// created after the stop, because creation is asynchronous.
final class SessionExchange: Sendable {
    private struct State {
        var receive: (@Sendable (TransportEvent) -> Void)?
        var task: URLSessionTask?
        var isStopped = false
        var hasResponse = false
    }

    private let calls: SessionCalls
    private let state: Locked<State>

    init(_ calls: SessionCalls, _ receive: @escaping @Sendable (TransportEvent) -> Void) {
        self.calls = calls
        state = Locked(State(receive: receive))
    }

    func run(_ task: URLSessionTask) {
        let isStopped = state.withLock { state in
            // Stopped before the task existed: cancel it as soon as it runs.
            state.task = state.isStopped ? nil : task
            return state.isStopped
        }
        task.resume()
        if isStopped { calls.cancel(task) }
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func tell(_ event: TransportEvent) {
        state.withLock { $0.receive }?(event)
    }

    /// Reports the response; with `unlessReported` only if none was reported.
    func tell(_ response: URLResponse, unlessReported: Bool = false) {
        let receive = state.withLock { state in
            defer { state.hasResponse = true }
            // The check and the mark are one critical section, so the response is reported once.
            return unlessReported && state.hasResponse ? nil : state.receive
        }
        receive?(.response(response))
    }

    /// Reports the end, once.
    func end(_ error: (any Error)?) {
        let receive = state.withLock { state in
            defer {
                state.receive = nil
                state.task = nil
            }
            return state.receive
        }
        receive?(.ended(error))
    }

    /// Stops the task and all events.
    func stop() {
        let (task, receive) = state.withLock { state in
            state.isStopped = true
            defer { (state.task, state.receive) = (nil, nil) }
            return (state.task, state.receive)
        }
        // Release the receiver after unlock.
        withExtendedLifetime(receive) {}
        if let task { calls.cancel(task) }
    }
}
