/// Decides how many workers to start, from the demand and the present workers.
///
/// A value without clock or processes: the caller polls and starts the workers. Workers are never stopped from here: an
/// idle worker leaves by itself.
///
/// | situation | decision |
/// |---|---|
/// | enough workers are alive | start none, reset the pause |
/// | too few, and workers wait for machines | start none, doubling the pause |
/// | too few | start up to twice the present number |
/// | the last start produced no work | start again after a longer pause |
/// | six such starts in a row, none alive | hopeless |
struct WorkerNeed: Sendable {
    /// The number of unproductive starts in a row after which the situation is hopeless.
    static let fruitlessStarts = 6
    /// The longest pause, in looks, between two queries of the starter.
    static let longestPause = 16

    private struct Start {
        /// The number of attempts that had ended at the start.
        let ended: Int
        /// The number of workers at the start.
        let live: Int
    }

    /// The smallest and the largest number of workers.
    let bounds: ClosedRange<Int>
    /// The number of steps that a worker runs at the same time.
    let slots: Int

    private var lastStart: Start?
    /// The number of unproductive starts in a row.
    private var fruitless = 0
    /// The start in progress, with the value that `fruitless` takes if it succeeds.
    private var nextStart: (start: Start, fruitless: Int)?
    /// The number of looks to skip before the next query of the starter.
    private var pause = 0
    /// The pause after the next look without a start.
    private var nextPause = 1
    /// Whether workers repeatedly end at once and none is left.
    private(set) var isHopeless = false

    init(_ bounds: ClosedRange<Int>, slots: Int) {
        self.bounds = max(1, bounds.lowerBound)...max(1, bounds.upperBound)
        self.slots = max(1, slots)
    }

    /// Returns the number of workers that the demand justifies.
    func target(_ demand: WorkerDemand) -> Int {
        let open = demand.ready + demand.running
        guard open > 0 else { return 0 }
        // Rounded up: the last worker may have free slots.
        return min(max((open + slots - 1) / slots, bounds.lowerBound), bounds.upperBound)
    }

    /// Returns whether to query the starter; call once for each look.
    mutating func isShort(_ demand: WorkerDemand) -> Bool {
        guard demand.alive < target(demand) else {
            // Enough workers: react to the next shortage without a pause.
            (pause, nextPause) = (0, 1)
            return false
        }
        guard pause == 0 else {
            pause -= 1
            return false
        }
        return true
    }

    /// Returns the number of workers to start now, at most as many as exist, so that a short peak doesn't start too
    /// many.
    mutating func missing(_ demand: WorkerDemand, _ tally: WorkerTally) -> Int {
        let target = target(demand)
        // A living worker may be unknown to the starter, and a new one to the store. Take the larger number.
        let live = max(demand.alive, tally.running) + tally.waiting
        guard target > live, tally.waiting == 0 || live < bounds.lowerBound else {
            // More queued jobs would not start sooner, and running workers may not have joined yet.
            wait()
            return 0
        }
        // No attempt has ended since the last start, and none of its workers is left.
        let isFruitless = lastStart.map { demand.ended <= $0.ended && live <= $0.live } ?? false
        let fruitless = isFruitless ? min(self.fruitless + 1, Self.fruitlessStarts) : 0
        isHopeless = live == 0 && fruitless >= Self.fruitlessStarts
        if isHopeless { return 0 }
        nextStart = (Start(ended: demand.ended, live: live), fruitless)
        // Doubling limits a sudden start of very many workers.
        return min(target, max(bounds.lowerBound, live * 2)) - live
    }

    /// Records that the missing workers were started.
    mutating func started() {
        guard let (start, fruitless) = nextStart else { return }
        (lastStart, self.fruitless, nextStart) = (start, fruitless, nil)
        // Back off after unproductive starts.
        pause = fruitless == 0 ? 0 : min(1 << (fruitless - 1), Self.longestPause)
        nextPause = 1
    }

    /// Records that the starter failed: query it later.
    mutating func failed() { wait() }

    private mutating func wait() {
        pause = nextPause
        nextPause = min(nextPause * 2, Self.longestPause)
    }
}
