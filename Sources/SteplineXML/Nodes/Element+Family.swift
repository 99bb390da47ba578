extension XML.Element {
    /// The parent element; nil for a root and for a record.
    public var parent: XML.Element? {
        guard let parent = tree.parent(of: index), tree.nodes[parent].kind == .element else { return nil }
        return XML.Element(tree: tree, index: parent)
    }

    /// The elements directly below, in order.
    public var children: XML.Elements {
        XML.Elements(tree, in: index + 1..<tree.end(of: index), isDeep: false)
    }

    /// All child nodes in order: elements, texts, comments and others.
    public var nodes: XML.Nodes { XML.Nodes(tree: tree, parent: index) }

    /// All elements below, in document order.
    public var descendants: XML.Elements {
        XML.Elements(tree, in: index + 1..<tree.end(of: index), isDeep: true)
    }

    /// Returns the child elements with a qualified name.
    public func children(_ name: String) -> [XML.Element] { children.filter { $0.name == name } }

    /// Returns the child elements with a local name in a namespace.
    public func children(_ localName: String, in namespace: String?) -> [XML.Element] {
        children.filter { $0.localName == localName && $0.namespace == namespace }
    }

    /// Returns the first child element with a qualified name.
    public func first(_ name: String) -> XML.Element? { children.first { $0.name == name } }

    /// Returns the first child element with a local name in a namespace.
    public func first(_ localName: String, in namespace: String?) -> XML.Element? {
        children.first { $0.localName == localName && $0.namespace == namespace }
    }

    /// The next sibling element.
    public var nextSibling: XML.Element? {
        var candidate = tree.nextSibling(of: index)
        while let node = candidate, tree.nodes[node].kind != .element {
            candidate = tree.nextSibling(of: node)
        }
        return candidate.map { XML.Element(tree: tree, index: $0) }
    }

    /// The previous sibling element.
    public var previousSibling: XML.Element? {
        var candidate = tree.previousSibling(of: index)
        while let node = candidate, tree.nodes[node].kind != .element {
            candidate = tree.previousSibling(of: node)
        }
        return candidate.map { XML.Element(tree: tree, index: $0) }
    }

    /// The ancestors, innermost first.
    public var ancestors: [XML.Element] {
        var found: [XML.Element] = []
        var next = parent
        while let element = next {
            found.append(element)
            next = element.parent
        }
        return found
    }
}
