import SteplineSupport

/// The ready tasks: by priority, requeued tasks first, then in order.
///
/// Each combination of priority and requeue has a rank with a sorted array. Inserting at the end and removing the first
/// task are amortized constant time. Removing another task is a binary search.
struct ReadyLine {
    /// The place of a record in the line.
    struct Place {
        fileprivate let rank: Int
        fileprivate let order: Int
    }

    /// The tasks of one rank in order; a removed task leaves a gap.
    private struct Rank {
        private var entries: [(order: Int, record: TaskRecord?)] = []
        private var taken = 0

        mutating func insert(_ record: TaskRecord) {
            var index = entries.count
            // Nearly always the end. Only a changed priority or an overtaken back-off needs more steps.
            while index > taken, entries[index - 1].order > record.order { index -= 1 }
            // Never before `taken`: that part was dequeued, and `popFirst` no longer reads it.
            entries.insert((record.order, record), at: index)
        }

        mutating func popFirst() -> TaskRecord? {
            while taken < entries.count {
                let record = entries[taken].record
                entries[taken].record = nil
                taken += 1
                if taken == entries.count {
                    // Give memory back after a long line, but keep the capacity of a usual one.
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

        // Several entries may share an order, so the search ends with a short linear part.
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
    /// The ranks that may contain tasks, one bit each.
    private var occupied: UInt16 = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Returns the rank of a record; rank 0 begins first.
    static func rank(of record: TaskRecord) -> Int {
        // Even ranks are for requeued tasks, which precede new tasks of the same priority.
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
            // The rank is empty: skip it until the next insertion.
            occupied &= ~(1 << rank)
        }
        return nil
    }
}

/// The place of a record among the ready tasks, and the resources that it occupies.
struct ReadyStand {
    /// The place in its current line.
    var place: ReadyLine.Place?
    /// The lane of the body, whether the body occupies it, and whether the record waits for it.
    var lane: TaskLane?
    var isOnLane = false
    var isParked = false
    /// The number of tasks that the body waits for at once, having lent its slot.
    var lends = 0
}
