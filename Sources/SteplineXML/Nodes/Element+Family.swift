extension XML.Element {
    /// The element around this one; nil for a root and for a record.
    public var parent: XML.Element? {
        guard let parent = tree.parent(of: index), tree.nodes[parent].kind == .element else { return nil }
        return XML.Element(tree: tree, index: parent)
    }

    /// The elements directly below, in order.
    public var children: XML.Elements {
        XML.Elements(tree, in: index + 1..<tree.end(of: index), isDeep: false)
    }

    /// All nodes directly below, in order: elements, texts, comments and so on.
    public var nodes: XML.Nodes { XML.Nodes(tree: tree, parent: index) }

    /// All elements below, in document order.
    public var descendants: XML.Elements {
        XML.Elements(tree, in: index + 1..<tree.end(of: index), isDeep: true)
    }

    /// The elements directly below with this name, as it is written in the document, prefix included.
    public func children(_ name: String) -> [XML.Element] { children.filter { $0.name == name } }

    /// The elements directly below with this local name in this namespace.
    public func children(_ localName: String, in namespace: String?) -> [XML.Element] {
        children.filter { $0.localName == localName && $0.namespace == namespace }
    }

    /// The first element directly below with this name, as it is written in the document.
    public func first(_ name: String) -> XML.Element? { children.first { $0.name == name } }

    /// The first element directly below with this local name in this namespace.
    public func first(_ localName: String, in namespace: String?) -> XML.Element? {
        children.first { $0.localName == localName && $0.namespace == namespace }
    }

    /// The next element beside this one.
    public var nextSibling: XML.Element? {
        var candidate = tree.nextSibling(of: index)
        while let node = candidate, tree.nodes[node].kind != .element {
            candidate = tree.nextSibling(of: node)
        }
        return candidate.map { XML.Element(tree: tree, index: $0) }
    }

    /// The element beside this one that comes before it.
    public var previousSibling: XML.Element? {
        var candidate = tree.previousSibling(of: index)
        while let node = candidate, tree.nodes[node].kind != .element {
            candidate = tree.previousSibling(of: node)
        }
        return candidate.map { XML.Element(tree: tree, index: $0) }
    }

    /// The elements around this one, from the inside out.
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
