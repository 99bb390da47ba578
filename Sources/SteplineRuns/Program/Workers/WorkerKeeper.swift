package import SteplineSupport

/// Keeps enough workers running for a run: compares demand and supply every 2 seconds and starts missing workers.
package struct WorkerKeeper: Sendable {
    /// The pause between two looks into the store.
    static let interval = Duration.seconds(2)

    private let starter: any WorkerStarter
    private let bounds: ClosedRange<Int>
    private let slots: Int
    private let clock: any StepClock
    private let tell: @Sendable (String) -> Void

    /// Creates a keeper.
    ///
    /// - Parameters:
    ///   - starter: Starts the workers.
    ///   - bounds: The smallest and the largest number of workers.
    ///   - slots: The number of steps that a worker runs at the same time.
    ///   - clock: The clock.
    ///   - tell: Called with lines for the user.
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

    /// Starts missing workers until the Swift task is cancelled.
    ///
    /// Throws an error if the first start fails permanently, or if workers repeatedly end at once. A temporary failure
    /// is reported once and retried; the run continues with its present workers.
    package func keep(_ demand: @Sendable () async throws -> WorkerDemand) async throws {
        var need = WorkerNeed(bounds, slots: slots)
        // Before the first successful start, a failure means that the request itself is wrong.
        var isProven = false
        var reported: String?
        func tellOnce(_ line: String?) {
            if let line, line != reported { tell(line) }
            // A different line may be reported again later.
            reported = line
        }
        while true {
            let now = try await demand()
            if need.isShort(now) {
                do {
                    let tally = try await starter.tally()
                    let count = need.missing(now, tally)
                    if need.isHopeless { throw WorkerKeeperError(starts: WorkerNeed.fruitlessStarts) }
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
            // Poll: the store has no notification for the amount of work.
            try await clock.sleep(for: Self.interval)
        }
    }

    private static func waiting(_ tally: WorkerTally) -> String? {
        guard tally.waiting > 0, !tally.reasons.isEmpty else { return nil }
        return "\(RunsText.count(tally.waiting, "worker")) of \(tally.waiting + tally.running) still "
            + "\(tally.waiting == 1 ? "waits" : "wait") for a machine: \(tally.reasons.joined(separator: ", "))"
    }
}

/// A failure that may be temporary.
protocol PassingFailure: Error {
    /// Whether the failure doesn't come from the request itself.
    var isPassing: Bool { get }
}

/// The error for workers that end at once, however often they are started.
package struct WorkerKeeperError: Error, CustomStringConvertible {
    /// The message in one line.
    package let description: String

    init(starts: Int) {
        description =
            "\(starts) times in a row workers ended without running a step; see their output"
    }
}
