/// The entry to a simulation for events from outside threads, in their order.
package final class StageEntrance: Sendable {
    private let stage: any Stage
    private let waiting = Locked<[@Sendable () -> Void]>([])

    /// Creates an entry to this thread's simulation, and records `what` in its log; nil without a simulation.
    package init?(_ what: @autoclosure () -> String) {
        guard let stage = Stages.current else { return nil }
        stage.noteForeign(what())
        self.stage = stage
    }

    /// Runs work in the simulation after all earlier work of this entry.
    package func pass(_ work: @escaping @Sendable () -> Void) {
        // Each pass enqueues one run of the oldest work, because the simulation may reorder the runs.
        waiting.withLock { $0.append(work) }
        stage.enqueue(isBody: false) { [self] in
            let next = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            next?()
        }
    }
}
