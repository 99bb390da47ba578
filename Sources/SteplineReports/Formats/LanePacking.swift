/// Gives bars to lanes so that none overlap, as few lanes as can be, the lowest first.
struct LanePacking {
    /// A bar in its lane; compared by when the lane is free again.
    private struct Taken: Comparable {
        let until: Int64
        let lane: Int

        static func < (left: Taken, right: Taken) -> Bool {
            (left.until, left.lane) < (right.until, right.lane)
        }
    }

    private var busy = Heap<Taken>()
    private var free = Heap<Int>()
    private(set) var count = 0

    /// The number of a lane, from 1, that is free; calls come in order of `begin`.
    mutating func place(from begin: Int64, to end: Int64) -> Int {
        while let next = busy.first, next.until <= begin {
            free.insert(next.lane)
            _ = busy.popFirst()
        }
        let lane = free.popFirst() ?? count + 1
        count = max(count, lane)
        // A bar of no length still takes its place.
        busy.insert(Taken(until: max(end, begin + 1), lane: lane))
        return lane
    }
}

/// Gives the least of its elements first: very many bars may overlap, and end in any order.
private struct Heap<Element: Comparable> {
    private var elements: [Element] = []

    var first: Element? { elements.first }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0, elements[index] < elements[(index - 1) / 2] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func popFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        elements[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < elements.count && elements[child] < elements[least] {
                least = child
            }
            guard least != index else { return first }
            elements.swapAt(index, least)
            index = least
        }
    }
}
