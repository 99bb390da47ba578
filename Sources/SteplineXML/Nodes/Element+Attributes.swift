extension XML.Element {
    /// The attributes, in the order of the document.
    public var attributes: [XML.Attribute] {
        tree.attributeRange(of: index).map { XML.Attribute(tree: tree, index: $0) }
    }

    /// The attribute with this name, as it is written in the document, prefix included.
    public func attribute(_ name: String) -> XML.Attribute? {
        var place = Int(tree.nodes[index].start)
        while place < tree.attributeCount, tree.attributes[place].owner == UInt32(truncatingIfNeeded: index) {
            let attribute = XML.Attribute(tree: tree, index: place)
            if attribute.name == name { return attribute }
            place += 1
        }
        return nil
    }

    /// The attribute with this local name in this namespace.
    public func attribute(_ localName: String, in namespace: String?) -> XML.Attribute? {
        attributes.first { $0.localName == localName && $0.namespace == namespace }
    }

    /// The value of the attribute with this name, nil if there is none.
    public subscript(name: String) -> String? { attribute(name)?.value }

    /// The value of the attribute with this name as a number, truth and so on.
    ///
    /// Nil if there is no such attribute or if its value, without the blanks around it, isn't a `T`.
    public subscript<T: LosslessStringConvertible>(name: String, as type: T.Type) -> T? {
        self[name].flatMap { ScalarText.value($0) }
    }

    /// The text as a number, truth and so on; nil if, without the blanks around it, it isn't a `T`.
    public func text<T: LosslessStringConvertible>(as type: T.Type) -> T? { ScalarText.value(text) }

    /// The namespaces that are declared on this very element, by prefix; the default one's prefix is empty.
    package var declaredNamespaces: [String: String] {
        var found: [String: String] = [:]
        for place in tree.declarationRange(of: index) {
            let name = tree.names[Int(tree.declarations[place].name)]
            found[name.local] = name.namespace ?? ""
        }
        return found
    }

    /// All namespaces in scope, by prefix; the default one's prefix is empty.
    public var namespaces: [String: String] {
        ([self] + ancestors).reduce(into: [:]) { all, element in
            all.merge(element.declaredNamespaces) { inner, _ in inner }
        }
    }
}
