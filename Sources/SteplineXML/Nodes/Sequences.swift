extension XML {
    /// A lazy sequence of child elements in order.
    public struct Children: Sequence, Sendable {
        let tree: TreeStorage
        let parent: Int

        /// An iterator of elements.
        public struct Iterator: IteratorProtocol {
            let tree: TreeStorage
            var position: Int
            let end: Int

            /// Returns the next element.
            public mutating func next() -> Element? {
                guard let found = tree.element(from: position, before: end) else { return nil }
                position = Int(tree.nodes[found].end)
                return Element(tree: tree, index: found)
            }
        }

        /// Returns an iterator.
        public func makeIterator() -> Iterator {
            Iterator(tree: tree, position: parent + 1, end: tree.end(of: parent))
        }
    }

    /// A lazy sequence of child nodes in order.
    public struct Nodes: Sequence, Sendable {
        let tree: TreeStorage
        let parent: Int?

        /// An iterator of nodes.
        public struct Iterator: IteratorProtocol {
            let tree: TreeStorage
            var position: Int
            let end: Int

            /// Returns the next node.
            public mutating func next() -> Node? {
                guard position < end else { return nil }
                defer { position = tree.end(of: position) }
                return Node(tree: tree, place: .tree(position))
            }
        }

        /// Returns an iterator.
        public func makeIterator() -> Iterator {
            Iterator(tree: tree, position: (parent ?? 0) + 1, end: parent.map { tree.end(of: $0) } ?? 0)
        }
    }

    /// A lazy sequence of descendant elements in document order.
    public struct Descendants: Sequence, Sendable {
        let tree: TreeStorage
        let range: Range<Int>

        /// An iterator of elements.
        public struct Iterator: IteratorProtocol {
            let tree: TreeStorage
            var position: Int
            let end: Int

            /// Returns the next element.
            public mutating func next() -> Element? {
                guard let found = tree.element(from: position, before: end) else { return nil }
                position = found + 1
                return Element(tree: tree, index: found)
            }
        }

        /// Returns an iterator.
        public func makeIterator() -> Iterator {
            Iterator(tree: tree, position: range.lowerBound, end: range.upperBound)
        }

        /// Returns the elements with a qualified name.
        public func named(_ name: String) -> [Element] { filter { $0.name == name } }
    }
}
