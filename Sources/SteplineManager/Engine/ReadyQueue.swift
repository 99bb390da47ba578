/// The tasks that could begin: by priority, requeued ones first, then by order.
struct ReadyQueue {
    private struct Lane {
        var items: [(order: Int, ticket: Int, record: TaskRecord)?] = []
        var taken = 0

        mutating func insert(_ record: TaskRecord) {
            var index = items.count
            // Nearly always behind all others; only a changed priority or an overtaken back-off looks further.
            while index > taken, let before = items[index - 1], before.order > record.order { index -= 1 }
            items.insert((record.order, record.queueTicket, record), at: index)
        }

        /// Takes the first that is still meant.
        mutating func popFirst() -> TaskRecord? {
            while taken < items.count {
                let item = items[taken]
                items[taken] = nil
                taken += 1
                if taken == items.count {
                    items.removeAll(keepingCapacity: items.capacity <= 1024)
                    taken = 0
                } else if taken >= 1024, 2 * taken >= items.count {
                    items.removeFirst(taken)
                    taken = 0
                }
                if let item, case .queued = item.record.phase, item.record.queueTicket == item.ticket {
                    return item.record
                }
            }
            return nil
        }
    }

    private var lanes = [Lane](repeating: Lane(), count: 2 * TaskManager.Priority.allCases.count)
    private(set) var count = 0

    mutating func insert(_ record: TaskRecord) {
        record.queueTicket += 1
        count += 1
        let isRequeued = record.attempt > 0 || record.reaction?.requeues == true
        lanes[2 * record.priority.rank + (isRequeued ? 0 : 1)].insert(record)
    }

    /// One that was in the queue has ended or moved; its old place is skipped.
    mutating func leave(_ record: TaskRecord) {
        record.queueTicket += 1
        count -= 1
    }

    mutating func popFirst() -> TaskRecord? {
        guard count > 0 else { return nil }
        for index in lanes.indices {
            if let record = lanes[index].popFirst() {
                count -= 1
                return record
            }
        }
        return nil
    }
}
