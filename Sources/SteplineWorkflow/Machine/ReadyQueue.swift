import SteplineEngine

/// Tasks that may begin: the highest priority first, in order of arrival within a priority.
///
/// A task that leaves otherwise than by `popFirst` leaves a stale entry. Stale entries are removed when they are half
/// of all, so all operations are in amortized constant time.
struct ReadyQueue {
    /// The priority of a task that says nothing.
    static let normal: UInt8 = 2

    /// The first entry of normal priority, which in a chain is the only one ever; -1 if there is none.
    private var first: Int32 = -1
    private var line = FIFO<Int32>()
    /// The queues of the other priorities, made when one is first used.
    private var others: [FIFO<Int32>] = []
    private(set) var count = 0
    /// How many tasks have left without being popped since ``removeStale(isQueued:)``, at most.
    private var stale = 0

    var isEmpty: Bool { count == 0 }

    /// The next task, which may be stale.
    var next: Int32? {
        guard !others.isEmpty else { return nextNormal }
        // In the order of `popFirst`; the normal priority has queues of its own.
        return others[4].first ?? others[3].first ?? nextNormal ?? others[1].first ?? others[0].first
    }

    private var nextNormal: Int32? { first >= 0 ? first : line.first }

    /// The task of normal priority that is about so many places behind the next one: a hint.
    @inline(__always)
    func upcoming(_ distance: Int) -> Int32? { line.element(distance) }

    mutating func append(_ index: Int32, priority: UInt8) {
        count += 1
        if priority == Self.normal {
            // All queues are empty: the entry is kept here, and a chain of tasks never uses `line`.
            if count == 1 { first = index } else { line.append(index) }
        } else {
            if others.isEmpty { others = Array(repeating: FIFO(), count: 5) }
            others[Int(min(priority, 4))].append(index)
        }
    }

    /// Notes that a task with an entry isn't to begin any more; returns whether to call ``removeStale(isQueued:)`` now.
    mutating func hasLeft() -> Bool {
        stale += 1
        return stale > 64 && 2 * stale > count
    }

    /// Removes all entries but the first of each task that is still queued.
    mutating func removeStale(isQueued: (Int32) -> Bool) {
        var kept: Set<Int32> = []
        // A task stopped and started again has two entries, both in the queue of its priority.
        // The older one keeps its place.
        func isStale(_ index: Int32) -> Bool { !isQueued(index) || !kept.insert(index).inserted }
        stale = 0
        if first >= 0, isStale(first) { first = -1 }
        line.removeAll(where: isStale)
        for priority in others.indices { others[priority].removeAll(where: isStale) }
        count = (first >= 0 ? 1 : 0) + line.count + others.reduce(0) { $0 + $1.count }
    }

    mutating func popFirst() -> Int32? {
        guard count > 0 else { return nil }
        count -= 1
        if others.isEmpty { return popNormal() }
        return others[4].popFirst() ?? others[3].popFirst() ?? popNormal() ?? others[1].popFirst()
            ?? others[0].popFirst()
    }

    private mutating func popNormal() -> Int32? {
        guard first >= 0 else { return line.popFirst() }
        defer { first = -1 }
        return first
    }
}
