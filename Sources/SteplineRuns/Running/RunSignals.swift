import Dispatch
import SteplineSupport
import SteplineWorkflow

/// The signals of a run: delivers fulfilled conditions and cancellations to the workflow.
///
/// These are stored messages, not signals of the operating system.
///
/// Polls the store each second on `queue`, and at once after a notification. `received` holds all delivered signals,
/// since the store returns old signals again.
final class RunSignals: Sendable {
    private struct State {
        /// Signals that were delivered to the workflow or sent by the workflow itself.
        var received: Set<RunSignal> = []
        var isPaused = false
        /// The reason of the cancellation that was delivered last.
        var cancellation: CancellationReason?
        var timer: Subscription?
        /// Whether signals are delivered: from the restoring of the workflow's tasks until its end.
        var isListening = false
    }

    /// The polling interval.
    private static let pause = Duration.seconds(1)

    private let graph: RunGraph
    private let store: any RunStore
    private let id: RunID
    private let writer: RunWriter
    private let workflow: Workflow
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "stepline.runs.signals")

    init(
        _ graph: RunGraph, of id: RunID, in store: any RunStore, _ writer: RunWriter, _ workflow: Workflow
    ) {
        self.graph = graph
        self.store = store
        self.id = id
        self.writer = writer
        self.workflow = workflow
    }

    /// Stores a signal that a body of this process has sent.
    func send(_ signal: RunSignal) {
        // Mark the signal as delivered: the next poll reads it from the store too.
        if state.withLock({ $0.received.insert(signal).inserted }) { writer.add(signal) }
    }

    /// The reason of the cancellation that was delivered last; nil if there was none.
    var cancellation: CancellationReason? { state.withLock { $0.cancellation } }

    /// Delivers the signals so far, and listens from here on.
    func receive() async throws {
        state.withLock { $0.isListening = true }
        // An earlier failure that has cancelled a condition stands until a retry, whatever was sent.
        try await Blocking.call { try self.take(retriesCancelled: false) }
    }

    /// Looks for new signals now, after a notification.
    func look() {
        Stages.async(on: queue) {
            // Before `receive` the conditions aren't restored yet; after `end` the workflow is done.
            guard self.state.withLock({ $0.isListening }) else { return }
            do { try self.take() } catch { self.writer.fail(error) }
        }
    }

    /// Polls for signals until `end()`.
    func watch(by clock: any StepClock) {
        let timer = clock.scheduleInBackground(after: Self.pause) { [weak self] in
            guard let self else { return }
            Stages.async(on: self.queue) { self.look(by: clock) }
        }
        // `end` may run between the schedule and this lock: cancel the new timer then.
        let (isOver, fired) = state.withLock { state in
            defer { state.timer = timer }
            return (!state.isListening, state.timer)
        }
        // Release the fired timer after unlock: a user's clock made it.
        withExtendedLifetime(fired) {}
        if isOver { timer.cancel() }
    }

    private func look(by clock: any StepClock) {
        guard state.withLock({ $0.isListening }) else { return }
        do { try take() } catch { return writer.fail(error) }
        watch(by: clock)
    }

    func end() {
        let timer = state.withLock { state in
            state.isListening = false
            return state.timer
        }
        timer?.cancel()
    }

    /// Pauses or resumes the workflow and its sub-workflows.
    private func hold(_ isPaused: Bool) {
        let isOther = state.withLock { state in
            defer { state.isPaused = isPaused }
            return state.isPaused != isPaused
        }
        guard isOther else { return }
        for part in graph.parts { isPaused ? part.workflow.pause() : part.workflow.proceed() }
    }

    private func take(retriesCancelled: Bool = true) throws {
        let signals = try store.signals(of: id)
        hold(signals.contains(.pause))
        for signal in signals where state.withLock({ $0.received.insert(signal).inserted }) {
            switch signal {
            case .cancel(let why):
                let reason = CancellationReason(.requested, why)
                state.withLock { $0.cancellation = reason }
                workflow.cancel(reason)
            case .fulfil(let name, let data):
                // The signal may belong to a condition that only another version of the program has.
                guard let place = ConditionValue.place(of: name, in: graph) else { continue }
                try ConditionValue.check(data, for: name, in: graph, of: workflow.name)
                let step = graph.steps[place]
                let value = try data.flatMap { try graph.facts(place).codec?.decode($0) }
                graph.parts[Int(step.part)].workflow.fulfill(
                    Int(step.number), with: value, retriesCancelled: retriesCancelled)
            }
        }
    }
}
