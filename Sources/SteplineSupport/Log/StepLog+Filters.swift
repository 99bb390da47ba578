extension StepLog {
    /// Lets only records pass that have one of the tags asked for; calls add up.
    public func filterUnless(tag: String) { filterUnless(tags: [tag]) }

    /// Lets only records pass that have one of the tags asked for; calls add up.
    public func filterUnless(tags: [String]) { state.withLock { $0.passing.formUnion(tags) } }

    /// Drops records with this tag; wins over what passes.
    public func filterIf(tag: String) { filterIf(tags: [tag]) }

    /// Drops records with one of these tags; wins over what passes.
    public func filterIf(tags: [String]) { state.withLock { $0.dropping.formUnion(tags) } }

    /// The tags of which a record must have one; empty if any will do.
    public var passingTags: Set<String> { state.withLock { $0.passing } }

    /// The tags that a record must not have.
    public var droppedTags: Set<String> { state.withLock { $0.dropping } }

    /// Removes all filters.
    public func removeFilters() {
        state.withLock { state in
            state.passing = []
            state.dropping = []
        }
    }
}
