import SteplineSupport

/// Gives bars to lanes so that none overlap, as few lanes as can be, the lowest first.
struct LanePacking {
    /// The lanes with a bar, by when it ends.
    private var busy = TimerHeap<Int>()
    /// The free lanes, by their number.
    private var free = TimerHeap<Int>()
    private(set) var count = 0

    /// Returns the number of a free lane, from 1.
    ///
    /// Calls come in the order of `begin`, which isn't negative. Costs O(log n) for n bars at once.
    mutating func place(from begin: Int64, to end: Int64) -> Int {
        while let lane = busy.popFirst(dueBy: .nanoseconds(begin)) {
            _ = free.insert(lane, deadline: .nanoseconds(lane))
        }
        let lane = free.popFirst(dueBy: .nanoseconds(count)) ?? count + 1
        count = max(count, lane)
        // A bar of no length still takes its place.
        _ = busy.insert(lane, deadline: .nanoseconds(max(end, begin + 1)))
        return lane
    }
}
