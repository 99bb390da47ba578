extension XML {
    /// An attribute: a light handle that keeps its document alive.
    public struct Attribute: Hashable, Sendable {
        let tree: TreeStorage
        let index: Int

        private var qualifiedName: QualifiedName { tree.names[Int(tree.attributes[index].name)] }

        /// The qualified name, with its prefix.
        public var name: String { qualifiedName.qualified }

        /// The local name.
        public var localName: String { qualifiedName.local }

        /// The prefix, if the name has one.
        public var prefix: String? { qualifiedName.prefix }

        /// The namespace URI; attributes without a prefix have none.
        public var namespace: String? { qualifiedName.namespace }

        /// The value, with entities expanded.
        public var value: String { tree.attributeValue(index) }

        /// The element of the attribute.
        public var element: Element { Element(tree: tree, index: Int(tree.attributes[index].owner)) }

        /// The attribute as a node.
        public var node: Node { Node(tree: tree, place: .attribute(index)) }
    }
}
