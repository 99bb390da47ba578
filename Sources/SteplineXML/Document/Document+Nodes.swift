extension XML.Document {
    /// The outermost element.
    public var root: XML.Element {
        // The parser refuses documents without an element.
        XML.Element(tree: tree, index: tree.element(from: 1, before: tree.nodeCount) ?? 0)
    }

    /// The document itself as a node, the parent of the root and its siblings.
    public var node: XML.Node { XML.Node(tree: tree, place: .tree(0)) }

    /// The root, and comments and instructions before and after it.
    public var nodes: XML.Nodes { XML.Nodes(tree: tree, parent: 0) }

    /// Every element, in document order.
    public var elements: XML.Elements { XML.Elements(tree, in: 1..<tree.nodeCount, isDeep: true) }

    /// The errors in the input, if it was parsed leniently.
    public var problems: [XMLError] { tree.problems }

    /// The version of the declaration, if there is one.
    package var version: String? { tree.info.version }

    /// The encoding of the bytes.
    public var encoding: String { tree.info.encoding }

    package var isStandalone: Bool? { tree.info.isStandalone }

    /// The document type declaration, if there is one.
    public var doctype: XML.DocumentType? { tree.info.doctype }

    /// Whether the document was parsed as HTML.
    public var isHTML: Bool { tree.info.isHTML }
}
