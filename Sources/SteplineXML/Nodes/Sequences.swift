extension XML {
    /// The elements directly below another, in order, found as they are asked for.
    public struct Children: Sequence, Sendable {
        let tree: TreeStorage
        let parent: Int

        /// Steps from element to element.
        public struct Iterator: IteratorProtocol {
            let tree: TreeStorage
            var position: Int
            let end: Int

            /// The next element.
            public mutating func next() -> Element? {
                guard let found = tree.element(from: position, before: end) else { return nil }
                position = Int(tree.nodes[found].end)
                return Element(tree: tree, index: found)
            }
        }

        /// Starts at the first.
        public func makeIterator() -> Iterator {
            Iterator(tree: tree, position: parent + 1, end: tree.end(of: parent))
        }
    }

    /// The nodes directly below another, in order, found as they are asked for.
    public struct Nodes: Sequence, Sendable {
        let tree: TreeStorage
        let parent: Int?

        /// Steps from node to node.
        public struct Iterator: IteratorProtocol {
            let tree: TreeStorage
            var position: Int
            let end: Int

            /// The next node.
            public mutating func next() -> Node? {
                guard position < end else { return nil }
                defer { position = tree.end(of: position) }
                return Node(tree: tree, place: .tree(position))
            }
        }

        /// Starts at the first.
        public func makeIterator() -> Iterator {
            Iterator(tree: tree, position: (parent ?? 0) + 1, end: parent.map { tree.end(of: $0) } ?? 0)
        }
    }

    /// The elements anywhere below another, in document order, found as they are asked for.
    public struct Descendants: Sequence, Sendable {
        let tree: TreeStorage
        let range: Range<Int>

        /// Steps from element to element.
        public struct Iterator: IteratorProtocol {
            let tree: TreeStorage
            var position: Int
            let end: Int

            /// The next element.
            public mutating func next() -> Element? {
                guard let found = tree.element(from: position, before: end) else { return nil }
                position = found + 1
                return Element(tree: tree, index: found)
            }
        }

        /// Starts at the first.
        public func makeIterator() -> Iterator {
            Iterator(tree: tree, position: range.lowerBound, end: range.upperBound)
        }

        /// Those with this name, as it is written in the document.
        public func named(_ name: String) -> [Element] { filter { $0.name == name } }
    }
}
