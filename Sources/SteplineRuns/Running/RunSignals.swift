import Dispatch
import SteplineSupport
import SteplineWorkflow

/// The signals of a run: delivers fulfilled conditions and cancellations to the workflow.
///
/// Polls the store each second on `queue`, and at once after a notification. `heard` holds all delivered signals, since
/// the store returns old signals again.
final class RunSignals: Sendable {
    private struct State {
        /// Signals that were delivered to the workflow or sent by the workflow itself.
        var heard: Set<RunSignal> = []
        var timer: Subscription?  // the next poll
        /// True from the restore of the tasks until the end of the workflow.
        var isListening = false
    }

    /// The polling interval.
    private static let pause = Duration.seconds(1)

    private let graph: RunGraph  // finds conditions by name
    private let run: any OpenRun
    private let writer: RunWriter
    private let workflow: Workflow
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "stepline.runs.signals")

    init(
        _ graph: RunGraph, _ run: any OpenRun, _ writer: RunWriter, _ workflow: Workflow
    ) {
        self.graph = graph
        self.run = run
        self.writer = writer
        self.workflow = workflow
    }

    /// Stores a signal that a body of this process has sent.
    func send(_ signal: RunSignal) {
        // Mark the signal as delivered: the next poll reads it from the store too.
        if state.withLock({ $0.heard.insert(signal).inserted }) { writer.add(signal) }
    }

    /// Delivers the signals stored so far and starts listening.
    func receive() async throws {
        state.withLock { $0.isListening = true }
        try await Blocking.call { try self.take() }
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
        let timer = clock.schedule(after: Self.pause) { [weak self] in
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

    private func take() throws {
        for signal in try run.signals() where state.withLock({ $0.heard.insert(signal).inserted }) {
            switch signal {
            case .cancel(let why): workflow.cancel(CancellationReason(.requested, why))
            // Insertion into `heard` came first: a failed delivery isn't repeated, the run fails instead.
            case .fulfil(let name, let data):
                // The signal may belong to a condition that only another version of the program has.
                guard let place = ConditionValue.place(of: name, in: graph) else { continue }
                if let data { try ConditionValue.check(data, for: name, in: graph, of: workflow.name) }
                let step = graph.steps[place]
                let value = try data.flatMap { try graph.facts(place).codec?.decode($0) }
                graph.parts[Int(step.part)].workflow.fulfill(Int(step.number), with: value)
            }
        }
    }
}
