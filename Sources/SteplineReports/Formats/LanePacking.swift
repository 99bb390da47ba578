import SteplineSupport

/// Assigns bars to lanes so that none overlap, with as few lanes as possible, lowest first.
struct LanePacking {
    /// The occupied lanes, by the end of their bars.
    private var busy = TimerHeap<Int>()
    /// The free lanes, by number.
    private var free = TimerHeap<Int>()
    private(set) var count = 0

    /// Returns the number of a free lane for a bar, from 1.
    ///
    /// Call it in the order of `begin`, which must not be negative. Costs O(log n) for n simultaneous bars.
    mutating func place(from begin: Int64, to end: Int64) -> Int {
        while let lane = busy.popFirst(dueBy: .nanoseconds(begin)) {
            _ = free.insert(lane, deadline: .nanoseconds(lane))
        }
        let lane = free.popFirst(dueBy: .nanoseconds(count)) ?? count + 1
        count = max(count, lane)
        // A bar without length still occupies its lane.
        _ = busy.insert(lane, deadline: .nanoseconds(max(end, begin + 1)))
        return lane
    }
}
