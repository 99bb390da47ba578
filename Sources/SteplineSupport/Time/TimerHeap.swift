/// A queue of values ordered by deadline, then by insertion, with removal by identifier.
///
/// A binary heap of identifiers with a table of values. A removed value leaves the table at once. Its heap entry is
/// removed at the top, or when removed entries outnumber the others. Inserting and popping cost O(log n); removing is
/// amortized constant.
package struct TimerHeap<Value> {
    private struct Entry {
        // Half the size of a `Duration`, with a range of 292 years: very many entries may wait at once.
        let nanoseconds: Int64
        let id: UInt64

        var deadline: Duration { .nanoseconds(nanoseconds) }

        func isBefore(_ other: Entry) -> Bool {
            nanoseconds != other.nanoseconds ? nanoseconds < other.nanoseconds : id < other.id
        }
    }

    private var heap: [Entry] = []
    private var values: [UInt64: Value] = [:]
    private var lastID: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { values.isEmpty }

    package var count: Int { values.count }

    /// The earliest deadline of a value in the queue.
    package var firstDeadline: Duration? {
        mutating get {
            dropRemovedFromTop()
            return heap.first?.deadline
        }
    }

    /// Adds a value; returns its identifier, and whether a timer must be set.
    ///
    /// `isFirst` is false for the first value if a removed entry with an earlier deadline is still in the heap: its
    /// timer fires before.
    package mutating func insert(_ value: Value, deadline: Duration) -> (id: UInt64, isFirst: Bool) {
        lastID += 1
        values[lastID] = value
        heap.append(Entry(nanoseconds: deadline.wholeNanoseconds, id: lastID))
        siftUp(heap.count - 1)
        return (lastID, heap[0].id == lastID)
    }

    /// Removes a value, if it is in the queue.
    package mutating func remove(_ id: UInt64) -> Value? {
        guard let value = values.removeValue(forKey: id) else { return nil }
        if heap.count > 64, heap.count > 2 * values.count { rebuild() }
        return value
    }

    /// Removes and returns the first value whose deadline isn't after `time`.
    package mutating func popFirst(dueBy time: Duration) -> Value? {
        dropRemovedFromTop()
        guard let first = heap.first, first.deadline <= time else { return nil }
        removeTop()
        return values.removeValue(forKey: first.id)
    }

    private mutating func dropRemovedFromTop() {
        while let first = heap.first, values[first.id] == nil { removeTop() }
    }

    private mutating func rebuild() {
        // Rebuilding a heap bottom-up is linear.
        heap.removeAll { values[$0.id] == nil }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    private mutating func removeTop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].isBefore(heap[parent]) else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}

extension Duration {
    /// The nanoseconds, rounded down and clamped to the range of `Int64`; never negative.
    package var wholeNanoseconds: Int64 {
        guard self < .nanoseconds(Int64.max) else { return .max }
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
