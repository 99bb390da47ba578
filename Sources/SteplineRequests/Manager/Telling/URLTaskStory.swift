import Dispatch
import Foundation
import SteplineManager
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What has happened to one request, and who is told of it; shared by all copies of its task.
final class URLTaskStory: Sendable {
    private struct State {
        var metrics = URLTaskMetrics()
        var handle: AnyTaskHandle?
        var isOver = false
        /// Where the exchange under way is known to lead.
        var sent: URLRequest?
        var lastResponse: URLResponse?
    }

    /// With their queues, which are users' code to ask for: once, and under no lock.
    private let monitors: [(told: any URLTaskMonitor, queue: DispatchQueue)]
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
            state.sent = nil
            if attempt > 1 { tell(state) { $0.retried(attempt: attempt, of: $1) } }
            tell(state) { $0.adapted(task.request, of: $1) }
            tell(state) { $0.began(task.request, attempt: attempt, of: $1) }
        }
    }

    /// An exchange begins: behind the first of an attempt it follows a redirect, or starts afresh.
    func sends(_ request: URLRequest) {
        state.withLock { state in
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

    /// The handle has ended; nothing is told behind that.
    func finished(_ outcome: Outcome<URLReply>, _ handle: AnyTaskHandle) {
        state.withLock { state in
            state.handle = handle
            let metrics = state.metrics
            tell(state) { $0.finished(outcome, metrics: metrics, of: $1) }
            state.isOver = true
        }
    }

    func refreshed(by authenticator: String) {
        for (told, queue) in monitors { queue.async { told.refreshed(by: authenticator) } }
    }

    /// Queued under the lock, so that the order is that of the events.
    private func tell(
        _ state: State, _ event: @escaping @Sendable (any URLTaskMonitor, AnyTaskHandle) -> Void
    ) {
        guard !state.isOver, let handle = state.handle else { return }
        for (told, queue) in monitors { queue.async { event(told, handle) } }
    }

    var isTold: Bool { !monitors.isEmpty }
}
