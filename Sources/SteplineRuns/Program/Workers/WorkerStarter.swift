/// Starts workers on other machines and counts them.
///
/// Only the store knows which worker runs which step.
package protocol WorkerStarter: Sendable {
    /// Starts workers and returns a line that names them.
    func start(_ count: Int) async throws -> String

    /// Returns the number of this run's workers, including those started by an earlier process.
    func tally() async throws -> WorkerTally

    /// Stops all workers of the run and removes waiting ones from the queue.
    func cancel() async throws
}

/// The workers known to a starter.
package struct WorkerTally: Sendable, Equatable {
    /// The number of running workers.
    package var running: Int
    /// The number of workers that wait for a machine.
    package var waiting: Int
    /// The reasons for waiting, in the starter's own words.
    package var reasons: [String]

    package init(running: Int = 0, waiting: Int = 0, reasons: [String] = []) {
        self.running = running
        self.waiting = waiting
        self.reasons = reasons
    }
}

/// The amount of work according to the store.
package struct WorkerDemand: Sendable, Equatable {
    /// The number of offered steps without a worker.
    package var ready: Int
    /// The number of claimed steps.
    package var running: Int
    /// The number of ended attempts so far; never decreases.
    package var ended: Int
    /// The number of workers with a valid lease.
    package var alive: Int

    package init(ready: Int, running: Int, ended: Int, alive: Int) {
        self.ready = ready
        self.running = running
        self.ended = ended
        self.alive = alive
    }
}
