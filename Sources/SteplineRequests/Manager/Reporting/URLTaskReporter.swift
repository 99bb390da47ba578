import Dispatch
import Foundation
import SteplineManager
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The metrics of one request, and the calls of its monitors; shared by all copies of the request's task.
///
/// Calls come from the transport's and the manager's threads. Monitor calls are queued under the lock, so their order
/// is the order of the events.
final class URLTaskReporter: Sendable {
    private struct State {
        var metrics = URLTaskMetrics()
        var handle: AnyTaskHandle?
        var isOver = false
        /// The request of the current exchange.
        var sent: URLRequest?
        var lastResponse: URLResponse?
    }

    /// The monitors with their queues, which are user code and therefore read once, without a lock.
    private let monitors: [(monitor: any URLTaskMonitor, queue: DispatchQueue)]
    private let state = Locked(State())

    init(_ monitors: [any URLTaskMonitor]) {
        self.monitors = monitors.map { ($0, $0.queue) }
    }

    func began(_ task: URLTask, attempt: Int, at date: Date) {
        let handle = TaskManager.current?.handle
        state.withLock { state in
            state.metrics = URLTaskMetrics()
            state.metrics.attempts = attempt
            state.metrics.began = date
            state.handle = handle
            // The first exchange of an attempt is never a redirect.
            state.sent = nil
            if attempt > 1 { tell(state) { $0.retried(attempt: attempt, of: $1) } }
            tell(state) { $0.adapted(task.request, of: $1) }
            tell(state) { $0.began(task.request, attempt: attempt, of: $1) }
        }
    }

    /// Records a new exchange, which follows a redirect or begins an attempt.
    func sends(_ request: URLRequest) {
        state.withLock { state in
            // Another URL within an attempt: the exchange follows a redirect.
            if let last = state.sent, last.url != request.url, let response = state.lastResponse {
                state.metrics.redirects += 1
                tell(state) { $0.redirected(to: request, by: response, of: $1) }
            }
            state.sent = request
        }
    }

    func received(_ response: URLResponse) {
        state.withLock { state in
            state.lastResponse = response
            tell(state) { $0.response(response, of: $1) }
        }
    }

    var report: @Sendable (TransferProgress) -> Void {
        { [self] progress in
            state.withLock { state in
                if progress.isUpload {
                    state.metrics.bytesSent = progress.completed
                } else {
                    state.metrics.bytesReceived = progress.completed
                }
            }
        }
    }

    @discardableResult
    func ended(after duration: Duration) -> URLTaskMetrics {
        state.withLock { state in
            state.metrics.duration = duration
            return state.metrics
        }
    }

    /// Reports the end of the handle; no call follows.
    func finished(_ outcome: Outcome<URLReply>, _ handle: AnyTaskHandle) {
        state.withLock { state in
            state.handle = handle
            let metrics = state.metrics
            tell(state) { $0.finished(outcome, metrics: metrics, of: $1) }
            // Late events of a cancelled transfer are dropped.
            state.isOver = true
        }
    }

    func refreshed(by authenticator: String) {
        // A refresh belongs to no task: it is reported even after the end of this task.
        for (monitor, queue) in monitors { queue.async { monitor.refreshed(by: authenticator) } }
    }

    /// Calls the monitors; queued under the lock, so the order is the order of the events.
    private func tell(
        _ state: State, _ event: @escaping @Sendable (any URLTaskMonitor, AnyTaskHandle) -> Void
    ) {
        guard !state.isOver, let handle = state.handle else { return }
        for (monitor, queue) in monitors { queue.async { event(monitor, handle) } }
    }

    var hasMonitors: Bool { !monitors.isEmpty }
}
