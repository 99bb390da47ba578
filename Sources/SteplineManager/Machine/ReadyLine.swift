import SteplineSupport

/// The tasks that could begin: by priority, requeued ones first, then in order.
struct ReadyLine {
    /// Where a record stands in the line.
    struct Place {
        fileprivate let rank: Int
        fileprivate let order: Int
    }

    /// Those of one priority, in order; who has left leaves a gap.
    private struct Rank {
        private var entries: [(order: Int, record: TaskRecord?)] = []
        private var taken = 0

        mutating func insert(_ record: TaskRecord) {
            var index = entries.count
            // Nearly always behind all others; only a changed priority or an overtaken back-off looks further.
            while index > taken, entries[index - 1].order > record.order { index -= 1 }
            entries.insert((record.order, record), at: index)
        }

        mutating func popFirst() -> TaskRecord? {
            while taken < entries.count {
                let record = entries[taken].record
                entries[taken].record = nil
                taken += 1
                if taken == entries.count {
                    // A line that was very long once gives its memory back.
                    entries.removeAll(keepingCapacity: entries.capacity <= 1024)
                    taken = 0
                } else if taken >= 1024, 2 * taken >= entries.count {
                    entries.removeFirst(taken)
                    taken = 0
                }
                if let record { return record }
            }
            return nil
        }

        mutating func remove(_ record: TaskRecord, order: Int) {
            var (low, high) = (taken, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].order < order { low = middle + 1 } else { high = middle }
            }
            while low < entries.count, entries[low].order == order {
                if entries[low].record === record { return entries[low].record = nil }
                low += 1
            }
        }
    }

    private var ranks = [Rank](repeating: Rank(), count: 2 * Priority.allCases.count)
    /// The ranks that may have somebody, one bit each.
    private var occupied: UInt16 = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The rank of a record: 0 goes first.
    static func rank(of record: TaskRecord) -> Int {
        2 * Int(Priority.critical.rawValue - record.priority.rawValue) + (record.isRequeued ? 0 : 1)
    }

    mutating func insert(_ record: TaskRecord) -> Place {
        let rank = Self.rank(of: record)
        ranks[rank].insert(record)
        occupied |= 1 << rank
        count += 1
        return Place(rank: rank, order: record.order)
    }

    mutating func remove(_ record: TaskRecord, at place: Place) {
        ranks[place.rank].remove(record, order: place.order)
        count -= 1
    }

    mutating func popFirst() -> TaskRecord? {
        while occupied != 0 {
            let rank = occupied.trailingZeroBitCount
            if let record = ranks[rank].popFirst() {
                count -= 1
                return record
            }
            occupied &= ~(1 << rank)
        }
        return nil
    }
}

/// Where a record stands among those that are ready, and what it has taken of what is scarce.
struct ReadyStand {
    /// Its place in the line that it is in.
    var place: ReadyLine.Place?
    /// The lane that its body takes, whether it is on it, and whether it waits for it.
    var lane: TaskLane?
    var isOnLane = false
    var isParked = false
    /// For how many tasks its body waits at once, having lent its slot.
    var lends = 0
}
