extension XML.Node {
    /// The name of an element or attribute, or the target of an instruction; nil for other nodes.
    public var name: String? {
        switch place {
        case .attribute(let index): XML.Attribute(tree: tree, index: index).name
        case .tree(let index):
            switch tree.nodes[index].kind {
            case .element, .instruction: tree.names[tree.nodes[index].name].qualified
            default: nil
            }
        }
    }

    /// The text content: all texts below an element, the value of an attribute, the text of a comment.
    public var text: String {
        switch place {
        case .attribute(let index): tree.attributeValue(index)
        case .tree(let index):
            tree.nodes[index].hasChildren
                ? String(decoding: tree.textBytes(below: index), as: UTF8.self) : tree.contentString(index)
        }
    }

    /// The line of the end of the start tag or text; for an attribute that of its element.
    public var line: Int {
        switch place {
        case .attribute(let index): Int(tree.nodes[Int(tree.attributes[index].owner)].line)
        case .tree(let index): Int(tree.nodes[index].line)
        }
    }

    /// The parent element, or the element of the attribute.
    public var parent: XML.Element? {
        switch place {
        case .attribute(let index): XML.Attribute(tree: tree, index: index).element
        case .tree(let index):
            tree.parent(of: index).flatMap { XML.Node(tree: tree, place: .tree($0)).element }
        }
    }

    /// The child nodes of an element or document; empty for other nodes.
    public var nodes: XML.Nodes {
        switch place {
        case .attribute: XML.Nodes(tree: tree, parent: nil)
        case .tree(let index): XML.Nodes(tree: tree, parent: tree.nodes[index].hasChildren ? index : nil)
        }
    }

    /// The next sibling; nil for attributes.
    public var nextSibling: XML.Node? {
        guard case .tree(let index) = place else { return nil }
        return tree.nextSibling(of: index).map { XML.Node(tree: tree, place: .tree($0)) }
    }

    /// The previous sibling; nil for attributes.
    ///
    /// The cost is proportional to the depth of the nodes in between.
    public var previousSibling: XML.Node? {
        guard case .tree(let index) = place else { return nil }
        return tree.previousSibling(of: index).map { XML.Node(tree: tree, place: .tree($0)) }
    }
}

extension XML.Node: Comparable {
    /// Compares by document order; attributes come before the content of their element.
    ///
    /// Between documents the order is arbitrary but fixed.
    public static func < (left: Self, right: Self) -> Bool {
        guard left.tree === right.tree else {
            return ObjectIdentifier(left.tree)
                < ObjectIdentifier(right.tree)
        }
        return left.order < right.order
    }

    private var order: (Int, Int) {
        switch place {
        case .tree(let index): (index, 0)
        case .attribute(let index): (Int(tree.attributes[index].owner), index + 1)
        }
    }
}
