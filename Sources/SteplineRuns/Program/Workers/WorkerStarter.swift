/// What starts workers on other machines, and knows those that it has started.
///
/// It only starts what is missing: which steps are done, and by whom, the store alone knows.
package protocol WorkerStarter: Sendable {
    /// Starts so many more, and says in a line which these are.
    func start(_ count: Int) async throws -> String

    /// How many there are of this run's, also of those that an earlier process has started.
    func tally() async throws -> WorkerTally

    /// Has all of them leave, and those that wait never begin.
    func cancel() async throws
}

/// The workers that a starter knows of.
package struct WorkerTally: Sendable, Equatable {
    /// How many run.
    package var running: Int
    /// How many wait for a machine.
    package var waiting: Int
    /// Why those wait, in the starter's own words.
    package var reasons: [String]

    package init(running: Int = 0, waiting: Int = 0, reasons: [String] = []) {
        self.running = running
        self.waiting = waiting
        self.reasons = reasons
    }
}

/// What there is to do by the store.
package struct WorkerDemand: Sendable, Equatable {
    /// How many steps nobody runs yet that could be run.
    package var ready: Int
    /// How many are being run.
    package var running: Int
    /// How many attempts have ended so far: a number that only grows.
    package var ended: Int
    /// How many workers are alive.
    package var alive: Int

    package init(ready: Int, running: Int, ended: Int, alive: Int) {
        self.ready = ready
        self.running = running
        self.ended = ended
        self.alive = alive
    }
}
