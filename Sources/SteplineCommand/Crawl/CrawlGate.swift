import SteplineSupport
import SteplineWorkflow

/// Lets the loads in flight finish after the first signal, and holds further loads back.
///
/// A load enters on the thread of its body, and leaves with the event that ends its attempt: by then the store has the
/// result. `close` is called on the thread of a signal.
final class CrawlGate: Sendable {
    private struct State {
        /// The names of the tasks whose loads are in flight.
        var inFlight: Set<String> = []
        /// Cancels the work of this process when no load is in flight; nil while the gate is open.
        var stop: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let clock: any StepClock

    init(clock: any StepClock) { self.clock = clock }

    /// Enters a load; if the gate is closed, waits until the task is cancelled.
    func enter(_ task: String) async throws {
        let isClosed = state.withLock { state in
            if state.stop == nil { state.inFlight.insert(task) }
            return state.stop != nil
        }
        while isClosed { try await clock.sleep(for: .seconds(3600)) }
    }

    /// Notes an event of a task.
    func note(_ event: WorkflowEvent) {
        if case .attemptFailed = event.kind { return leave(event.name) }
        if event.kind.isEnd { leave(event.name) }
    }

    private func leave(_ task: String) {
        let stop = state.withLock { state in
            state.inFlight.remove(task) != nil && state.inFlight.isEmpty ? state.stop : nil
        }
        stop?()
    }

    /// Closes the gate; calls `stop` as soon as no load is in flight.
    func close(_ stop: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            state.stop = stop
            return state.inFlight.isEmpty
        }
        if isIdle { stop() }
    }
}
