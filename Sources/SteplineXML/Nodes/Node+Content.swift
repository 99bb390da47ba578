extension XML.Node {
    /// The name of an element or attribute, the target of an instruction; nil for other nodes.
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

    /// The text of a node: all texts below an element, the value of an attribute, what a comment says.
    public var text: String {
        switch place {
        case .attribute(let index): tree.attributeValue(index)
        case .tree(let index):
            tree.nodes[index].hasChildren
                ? String(decoding: tree.textBytes(below: index), as: UTF8.self) : tree.contentString(index)
        }
    }

    /// The line in which the start tag or the text ends; for an attribute, that of its element.
    public var line: Int {
        switch place {
        case .attribute(let index): Int(tree.nodes[Int(tree.attributes[index].owner)].line)
        case .tree(let index): Int(tree.nodes[index].line)
        }
    }

    /// The element around this node, or the one that carries this attribute.
    public var parent: XML.Element? {
        switch place {
        case .attribute(let index): XML.Attribute(tree: tree, index: index).element
        case .tree(let index):
            tree.parent(of: index).flatMap { XML.Node(tree: tree, place: .tree($0)).element }
        }
    }

    /// The nodes directly below an element or document; none below others.
    public var nodes: XML.Nodes {
        switch place {
        case .attribute: XML.Nodes(tree: tree, parent: nil)
        case .tree(let index): XML.Nodes(tree: tree, parent: tree.nodes[index].hasChildren ? index : nil)
        }
    }

    /// The node after this one beside it; nil for attributes.
    public var nextSibling: XML.Node? {
        guard case .tree(let index) = place else { return nil }
        return tree.nextSibling(of: index).map { XML.Node(tree: tree, place: .tree($0)) }
    }

    /// The node before this one beside it; nil for attributes.
    ///
    /// It costs the depth between the two.
    public var previousSibling: XML.Node? {
        guard case .tree(let index) = place else { return nil }
        return tree.previousSibling(of: index).map { XML.Node(tree: tree, place: .tree($0)) }
    }
}

extension XML.Node: Comparable {
    /// Whether the left one stands before the right one; an element's attributes come before its content.
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
