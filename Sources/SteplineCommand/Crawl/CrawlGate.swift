import SteplineSupport
import SteplineWorkflow

/// Lets the loads in flight finish after the first signal, and holds further loads back.
///
/// A load enters on the thread of its body, and leaves with the event that ends its attempt: by then the store has the
/// result. The events are read later, when the next attempt may have begun: each ends the task's oldest attempt.
/// `close` is called on the thread of a signal.
final class CrawlGate: Sendable {
    /// An attempt of a task, by the number of its begin in this process.
    private struct Attempt: Hashable {
        let task: String
        let number: Int
    }

    private struct State {
        /// The numbers of begun and ended attempts by task, without tasks whose attempts have all ended.
        var counts: [String: (begun: Int, ended: Int)] = [:]
        /// The attempts whose loads are in flight.
        var inFlight: Set<Attempt> = []
        /// Cancels the work of this process when no load is in flight; nil while the gate is open.
        var stop: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let clock: any StepClock

    init(clock: any StepClock) { self.clock = clock }

    /// Enters a load of a task; if the gate is closed, waits until the task is cancelled.
    func enter(_ task: String) async throws {
        let isClosed = state.withLock { state in
            let begun = state.counts[task, default: (0, 0)].begun + 1
            state.counts[task, default: (0, 0)].begun = begun
            if state.stop == nil { state.inFlight.insert(Attempt(task: task, number: begun)) }
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
        let stop = state.withLock { state -> (@Sendable () -> Void)? in
            // A task that was cancelled before its body began has no attempt here.
            guard var counts = state.counts[task] else { return nil }
            counts.ended += 1
            state.counts[task] = counts.ended < counts.begun ? counts : nil
            let left = state.inFlight.remove(Attempt(task: task, number: counts.ended))
            return left != nil && state.inFlight.isEmpty ? state.stop : nil
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
