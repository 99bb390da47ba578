/// Gives bars to lanes so that none overlap, as few lanes as can be, the lowest first.
struct LanePacking {
    /// The lanes in use, the one that is free first at the end.
    private var busy: [(free: Int64, lane: Int)] = []
    /// The lanes that are free, the lowest at the end.
    private var free: [Int] = []
    private(set) var count = 0

    /// The number of a lane, from 1, that is free; calls come in order of `begin`.
    mutating func place(from begin: Int64, to end: Int64) -> Int {
        while let next = busy.last, next.free <= begin {
            busy.removeLast()
            free.insert(next.lane, at: Self.partition(free.count) { free[$0] < next.lane })
        }
        // A bar of no length still takes its place.
        let until = max(end, begin + 1)
        let lane = free.popLast() ?? count + 1
        count = max(count, lane)
        busy.insert((until, lane), at: Self.partition(busy.count) { busy[$0].free <= until })
        return lane
    }

    /// The first place for which `isBehind` holds, where all such come last.
    private static func partition(_ count: Int, _ isBehind: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
