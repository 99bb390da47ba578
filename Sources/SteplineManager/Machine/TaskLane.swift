/// A limit on concurrent bodies that is independent of the slots: tasks of a lane wait only for each other.
package struct TaskLane: Sendable, Hashable {
    /// The name in `explain()`.
    package let name: String
    package let limit: Int

    package init(_ name: String, limit: Int) {
        self.name = name
        self.limit = max(limit, 0)
    }
}
