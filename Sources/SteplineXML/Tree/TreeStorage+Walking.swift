extension TreeStorage {
    /// Returns the node after a node and all its descendants.
    @inline(__always)
    func end(of node: Int) -> Int { nodes[node].hasChildren ? Int(nodes[node].end) : node + 1 }

    func parent(of node: Int) -> Int? {
        guard node > 0 else { return nil }
        let parent = Int(nodes[node].parent)
        return nodes[parent].kind == .batch ? nil : parent
    }

    func nextSibling(of node: Int) -> Int? {
        guard let parent = parent(of: node) else { return nil }
        let next = end(of: node)
        return next < end(of: parent) ? next : nil
    }

    /// Returns the previous sibling by climbing from the preceding node; the cost is the depth, not the number of
    /// siblings.
    func previousSibling(of node: Int) -> Int? {
        guard let parent = parent(of: node), node - 1 != parent else { return nil }
        var candidate = node - 1
        while Int(nodes[candidate].parent) != parent { candidate = Int(nodes[candidate].parent) }
        return candidate
    }

    /// Returns the first element at or after `start` among siblings, before `end`.
    @inline(__always)
    func element(from start: Int, before end: Int) -> Int? {
        var node = start
        while node < end {
            if nodes[node].kind == .element { return node }
            node += 1
        }
        return nil
    }
}
