package import SteplineSupport

/// Sees to it that a run has its workers, as long as it goes on.
package struct WorkerKeeper: Sendable {
    /// How long it waits between two looks into the store.
    static let interval = Duration.seconds(2)

    private let starter: any WorkerStarter
    private let bounds: ClosedRange<Int>
    private let slots: Int
    private let clock: any StepClock
    private let tell: @Sendable (String) -> Void

    /// Keeps so many workers, each of which runs `slots` steps at once; `tell` is given lines for people.
    package init(
        _ starter: any WorkerStarter, bounds: ClosedRange<Int>, slots: Int, clock: any StepClock,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.starter = starter
        self.bounds = bounds
        self.slots = slots
        self.clock = clock
        self.tell = tell
    }

    /// Starts what is missing, until the Swift task that it runs in is cancelled.
    ///
    /// Throws if no worker could ever be started, and if all end as soon as they begin. What the starter can't do for a
    /// while is told once, and tried again: meanwhile the run goes on with the workers that it has.
    package func keep(_ demand: @Sendable () async throws -> WorkerDemand) async throws {
        var need = WorkerNeed(bounds, slots: slots)
        // Whether the starter has ever done what it is asked for: else what is asked for is wrong.
        var isProven = false
        var told: String?
        func tellOnce(_ line: String?) {
            if let line, line != told { tell(line) }
            told = line
        }
        while true {
            let now = try await demand()
            if need.isShort(now) {
                do {
                    let tally = try await starter.tally()
                    let count = need.missing(now, tally)
                    if need.isHopeless { throw WorkerKeeperError(starts: WorkerNeed.vainStarts) }
                    if count > 0 {
                        tell(try await starter.start(count))
                        need.started()
                        isProven = true
                    }
                    tellOnce(Self.waiting(tally))
                } catch let error as any PassingFailure where error.isPassing || isProven || now.alive > 0 {
                    need.failed()
                    tellOnce(ErrorText.line(error))
                }
            }
            try await clock.sleep(for: Self.interval)
        }
    }

    private static func waiting(_ tally: WorkerTally) -> String? {
        guard tally.waiting > 0, !tally.reasons.isEmpty else { return nil }
        return "\(RunsText.count(tally.waiting, "worker")) of \(tally.waiting + tally.running) still "
            + "\(tally.waiting == 1 ? "waits" : "wait") for a machine: \(tally.reasons.joined(separator: ", "))"
    }
}

/// A failure of a starter's that may be over by itself.
protocol PassingFailure: Error {
    /// Whether it is no fault of what was asked for.
    var isPassing: Bool { get }
}

/// Workers end as soon as they begin, however often they are started.
package struct WorkerKeeperError: Error, CustomStringConvertible {
    /// One readable line.
    package let description: String

    init(starts: Int) {
        description =
            "\(starts) times in a row workers have ended without running a step; what they wrote says why"
    }
}
