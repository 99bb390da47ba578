extension XML {
    /// An element: a lightweight handle that keeps its document alive.
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

        /// The qualified name, with its prefix.
        public var name: String { qualifiedName.qualified }

        /// The local name.
        public var localName: String { qualifiedName.local }

        /// The prefix, if the name has one.
        public var prefix: String? { qualifiedName.prefix }

        /// The namespace URI, if any.
        public var namespace: String? { qualifiedName.namespace }

        /// The line of the end of the start tag, from 1.
        public var line: Int { Int(record.line) }

        /// The text content, including CDATA and all descendants.
        public var text: String { String(decoding: tree.textBytes(below: index), as: UTF8.self) }

        /// The document; for a record of a stream, the batch of records.
        public var document: Document { Document(tree) }

        /// The element as a node.
        public var node: Node { Node(tree: tree, place: .tree(index)) }
    }
}

extension XML.Element: Comparable {
    /// Compares by document order; between documents the order is arbitrary but fixed.
    public static func < (left: Self, right: Self) -> Bool { left.node < right.node }
}
