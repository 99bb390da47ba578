extension XML {
    /// An element: a light handle that keeps its document alive.
    ///
    /// Two handles are equal if they are the same element of the same document.
    public struct Element: Hashable, Sendable {
        let tree: TreeStorage
        let index: Int

        init(tree: TreeStorage, index: Int) {
            self.tree = tree
            self.index = index
        }

        private var record: NodeRecord { tree.nodes[index] }

        var qualifiedName: QualifiedName {
            let number = record.name
            return number < tree.names.count ? tree.names[number] : QualifiedName(local: "")
        }

        /// The name as it is written, with its prefix.
        public var name: String { qualifiedName.qualified }

        /// The name without its prefix.
        public var localName: String { qualifiedName.local }

        /// The prefix, if the name has one.
        public var prefix: String? { qualifiedName.prefix }

        /// The URI of the name's namespace, if it is in one.
        public var namespace: String? { qualifiedName.namespace }

        /// The line in which the start tag ends, counted from 1.
        public var line: Int { Int(record.line) }

        /// The texts and CDATA of this element and all below it, in one.
        public var text: String { String(decoding: tree.textBytes(below: index), as: UTF8.self) }

        /// The document that the element belongs to; for a record of a stream, the batch that it came with.
        public var document: Document { Document(tree) }

        /// The same as a node.
        public var node: Node { Node(tree: tree, place: .tree(index)) }
    }
}

extension XML.Element: Comparable {
    /// Whether the left one stands before the right one; between documents the order is arbitrary but fixed.
    public static func < (left: Self, right: Self) -> Bool { left.node < right.node }
}
