/// A way that takes only so many bodies at once: those of one lane wait for one another, and for nobody else.
package struct TaskLane: Sendable, Hashable {
    /// What `explain()` calls it.
    package let name: String
    package let limit: Int

    package init(_ name: String, limit: Int) {
        self.name = name
        self.limit = max(limit, 0)
    }
}
