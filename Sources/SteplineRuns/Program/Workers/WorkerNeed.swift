/// Decides how many workers are to be started, from what is to be done and who is there.
///
/// It knows no clock and no process: whoever has it looks by and by, and does what it says. Workers are never taken
/// away: those that find nothing to do leave by themselves.
struct WorkerNeed: Sendable {
    /// After so many starts in a row that came to nothing there is no more hope.
    static let vainStarts = 6
    /// The most looks between two questions about workers that wait for a machine.
    static let longestPause = 16

    private struct Start {
        /// How many attempts had ended by then.
        let ended: Int
        /// How many workers there were then.
        let live: Int
    }

    /// How many there are to be.
    let bounds: ClosedRange<Int>
    /// How many steps one of them runs at once.
    let slots: Int

    private var lastStart: Start?
    /// How many starts in a row came to nothing.
    private var vain = 0
    /// The start that was said to be made, with what `vain` is then.
    private var nextStart: (start: Start, vain: Int)?
    /// How many looks are to pass before the starter is asked again.
    private var pause = 0
    /// The pause after the next look that finds nothing to start.
    private var nextPause = 1
    /// Whether workers end as soon as they begin, however often they are started, and none is left.
    private(set) var isHopeless = false

    init(_ bounds: ClosedRange<Int>, slots: Int) {
        self.bounds = max(1, bounds.lowerBound)...max(1, bounds.upperBound)
        self.slots = max(1, slots)
    }

    /// How many workers are wanted for what there is to do.
    func wanted(_ demand: WorkerDemand) -> Int {
        let open = demand.ready + demand.running
        guard open > 0 else { return 0 }
        return min(max((open + slots - 1) / slots, bounds.lowerBound), bounds.upperBound)
    }

    /// Whether it is worth asking the starter who there is: to be called once for each look.
    mutating func isShort(_ demand: WorkerDemand) -> Bool {
        guard demand.alive < wanted(demand) else {
            (pause, nextPause) = (0, 1)
            return false
        }
        guard pause == 0 else {
            pause -= 1
            return false
        }
        return true
    }

    /// How many more are to be started now.
    ///
    /// At most as many as there are, so that a moment's crowd calls no army.
    mutating func missing(_ demand: WorkerDemand, _ tally: WorkerTally) -> Int {
        let wanted = wanted(demand)
        // One whose job the starter has lost may be alive, and one that has just begun isn't known to the store.
        let live = max(demand.alive, tally.running) + tally.waiting
        guard wanted > live, tally.waiting == 0 || live < bounds.lowerBound else {
            // More in the same queue would not run sooner, and those that run may not have found the store yet.
            wait()
            return 0
        }
        let isVain = lastStart.map { demand.ended <= $0.ended && live <= $0.live } ?? false
        let vain = isVain ? min(self.vain + 1, Self.vainStarts) : 0
        isHopeless = live == 0 && vain >= Self.vainStarts
        if isHopeless { return 0 }
        nextStart = (Start(ended: demand.ended, live: live), vain)
        return min(wanted, max(bounds.lowerBound, live * 2)) - live
    }

    /// Those that were missing have been started.
    mutating func started() {
        guard let (start, vain) = nextStart else { return }
        (lastStart, self.vain, nextStart) = (start, vain, nil)
        // Those that were started for nothing are started again later and later.
        pause = vain == 0 ? 0 : min(1 << (vain - 1), Self.longestPause)
        nextPause = 1
    }

    /// The starter could not do it: it is asked again later.
    mutating func failed() { wait() }

    private mutating func wait() {
        pause = nextPause
        nextPause = min(nextPause * 2, Self.longestPause)
    }
}
