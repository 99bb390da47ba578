import CPrefetch

extension WorkflowState {
    /// Has brought near what the next tasks in line will need, and their dependents.
    ///
    /// In a wide graph a task comes from memory, as do its dependents, each where the one before says: most of the
    /// time would go by waiting for that. What is asked for some tasks ahead is there in time, all at once.
    @inline(__always)
    func lookAhead() {
        guard let last = queue.ahead(8) else { return }
        parts.prefetch(last)
        if isHeard { names.prefetch(last) }
        if let edge = place(nodes[last].firstDependent) { edges.prefetch(edge) }
        guard let middle = queue.ahead(4) else { return }
        if let edge = place(nodes[middle].firstDependent) {
            nodes.prefetch(Int(edges[edge].dependent))
            if let next = place(edges[edge].next) { edges.prefetch(next) }
        }
        guard let first = queue.ahead(2) else { return }
        if let edge = place(nodes[first].firstDependent), let next = place(edges[edge].next) {
            nodes.prefetch(Int(edges[next].dependent))
        }
        parts[first].work.prefetch()
    }

    /// Where the edge is that a link leads to; nil at the end.
    @inline(__always)
    private func place(_ link: Int32) -> Int? { link < 0 ? nil : Int(link) }
}

extension TaskPart.Work {
    /// Has brought near what a closure has captured, which is the second word of it.
    @inline(__always)
    fileprivate func prefetch() {
        guard case .closure(let body) = self else { return }
        stepline_prefetch(unsafeBitCast(body, to: (UnsafeRawPointer, UnsafeRawPointer?).self).1)
    }
}
