extension StepLog {
    /// Accepts only records with the given tag or an earlier given one.
    public func filterUnless(tag: String) { filterUnless(tags: [tag]) }

    /// Accepts only records with one of the given tags or an earlier given one.
    public func filterUnless(tags: [String]) { state.withLock { $0.passing.formUnion(tags) } }

    /// Drops records with this tag, even if another filter accepts them.
    public func filterIf(tag: String) { filterIf(tags: [tag]) }

    /// Drops records with one of these tags, even if another filter accepts them.
    public func filterIf(tags: [String]) { state.withLock { $0.dropping.formUnion(tags) } }

    /// The tags that filters accept; empty if all records are accepted.
    package var passingTags: Set<String> { state.withLock { $0.passing } }

    /// The tags of records to drop.
    package var droppedTags: Set<String> { state.withLock { $0.dropping } }

    /// Removes all filters.
    public func removeFilters() {
        state.withLock { state in
            state.passing = []
            state.dropping = []
        }
    }
}
