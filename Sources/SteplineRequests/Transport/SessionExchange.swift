import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange over a session: its task, and who is told.
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

    /// Tells the response; with `unlessTold` only if none has been told.
    func tell(_ response: URLResponse, unlessTold: Bool = false) {
        let receive = state.withLock { state in
            defer { state.hasResponse = true }
            return unlessTold && state.hasResponse ? nil : state.receive
        }
        receive?(.response(response))
    }

    /// Tells the end, once.
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

    /// Stops the task; nobody is told anything from here on.
    func stop() {
        let (task, receive) = state.withLock { state in
            state.isStopped = true
            defer { (state.task, state.receive) = (nil, nil) }
            return (state.task, state.receive)
        }
        // Who was told is let go of after the lock.
        withExtendedLifetime(receive) {}
        if let task { calls.cancel(task) }
    }
}
