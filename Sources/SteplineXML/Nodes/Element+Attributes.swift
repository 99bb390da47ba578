extension XML.Element {
    /// The attributes in document order.
    public var attributes: [XML.Attribute] {
        tree.attributeRange(of: index).map { XML.Attribute(tree: tree, index: $0) }
    }

    /// Returns the attribute with a qualified name, including the prefix.
    public func attribute(_ name: String) -> XML.Attribute? {
        var place = Int(tree.nodes[index].start)
        while place < tree.attributeCount, tree.attributes[place].owner == UInt32(truncatingIfNeeded: index) {
            let attribute = XML.Attribute(tree: tree, index: place)
            if attribute.name == name { return attribute }
            place += 1
        }
        return nil
    }

    /// Returns the attribute with a local name in a namespace.
    public func attribute(_ localName: String, in namespace: String?) -> XML.Attribute? {
        attributes.first { $0.localName == localName && $0.namespace == namespace }
    }

    /// The value of the attribute with a qualified name; nil if there is none.
    public subscript(name: String) -> String? { attribute(name)?.value }

    /// The value of the attribute with a qualified name, converted to a type such as a number.
    ///
    /// Nil if the attribute is missing or its trimmed value isn't a `T`.
    public subscript<T: LosslessStringConvertible>(name: String, as type: T.Type) -> T? {
        self[name].flatMap { ScalarText.value($0) }
    }

    /// Returns the trimmed text converted to a type; nil if it isn't a `T`.
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

    /// All namespaces in scope, by prefix; the default namespace has an empty prefix.
    public var namespaces: [String: String] {
        ([self] + ancestors).reduce(into: [:]) { all, element in
            all.merge(element.declaredNamespaces) { inner, _ in inner }
        }
    }
}
