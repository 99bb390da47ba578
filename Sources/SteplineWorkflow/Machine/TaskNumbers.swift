/// The numbers of a workflow's tasks in order of adding, without those of emptied tasks.
///
/// A map with new keys adds tasks and empties the old ones. No number is used twice, so a `TaskRef` never names another
/// task. Successive emptied numbers form one gap. A walk over the numbers costs their count and the count of gaps, and
/// not the count of all tasks ever added.
struct TaskNumbers: Sequence, IteratorProtocol, Sendable {
    private var position: Int32 = 0
    /// The number of the task that is added next.
    private(set) var end: Int32 = 0
    /// The number after each gap, by the first number of the gap.
    private var ends: [Int32: Int32] = [:]
    /// The first number of each gap, by the number after the gap.
    private var starts: [Int32: Int32] = [:]

    var underestimatedCount: Int { ends.isEmpty ? Int(end - position) : 0 }

    mutating func append() { end += 1 }

    /// Removes a number, once, and joins the gaps beside it.
    mutating func remove(_ number: Int32) {
        let first = starts.removeValue(forKey: number) ?? number
        let after = ends.removeValue(forKey: number + 1) ?? number + 1
        ends[first] = after
        starts[after] = first
    }

    @inline(__always)
    mutating func next() -> Int32? {
        if !ends.isEmpty, let after = ends[position] { position = after }
        guard position < end else { return nil }
        defer { position += 1 }
        return position
    }
}
