extension XML {
    /// Elements below another, in document order, found as they are asked for.
    public struct Elements: Sequence, IteratorProtocol, Sendable {
        private let tree: TreeStorage
        private var position: Int
        private let end: Int
        private let isDeep: Bool

        /// The elements in a range of the tree; those below found ones too if it is deep.
        init(_ tree: TreeStorage, in range: Range<Int>, isDeep: Bool) {
            self.tree = tree
            position = range.lowerBound
            end = range.upperBound
            self.isDeep = isDeep
        }

        /// The next element.
        public mutating func next() -> Element? {
            guard let found = tree.element(from: position, before: end) else { return nil }
            position = isDeep ? found + 1 : Int(tree.nodes[found].end)
            return Element(tree: tree, index: found)
        }

        /// Returns the elements with a qualified name.
        public func named(_ name: String) -> [XML.Element] { filter { $0.name == name } }
    }

    /// The nodes directly below another, in order, found as they are asked for.
    public struct Nodes: Sequence, IteratorProtocol, Sendable {
        private let tree: TreeStorage
        private var position: Int
        private let end: Int

        init(tree: TreeStorage, parent: Int?) {
            self.tree = tree
            position = (parent ?? 0) + 1
            end = parent.map { tree.end(of: $0) } ?? 0
        }

        /// The next node.
        public mutating func next() -> Node? {
            guard position < end else { return nil }
            defer { position = tree.end(of: position) }
            return Node(tree: tree, place: .tree(position))
        }
    }
}
