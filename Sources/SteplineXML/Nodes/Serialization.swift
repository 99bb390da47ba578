extension XML.Document: CustomStringConvertible {
    /// The document as XML in UTF-8 with a declaration; parsing it gives an equal tree.
    ///
    /// Entities and attribute defaults are expanded, and their declarations are left out.
    public var xml: String { String(decoding: xmlBytes, as: UTF8.self) }

    /// The bytes of ``xml``.
    package var xmlBytes: [UInt8] {
        var serializer = Serializer(tree)
        serializer.writeDocument()
        return serializer.output
    }

    /// The document as XML, equal to ``xml``.
    public var description: String { xml }
}

extension XML.Element: CustomStringConvertible {
    /// The element as self-contained XML: inherited namespaces are declared on it.
    public var xml: String { node.xml }

    /// The element as XML, equal to ``xml``.
    public var description: String { xml }
}

extension XML.Attribute: CustomStringConvertible {
    /// The attribute as in a start tag.
    public var description: String { node.xml }
}

extension XML.Node: CustomStringConvertible {
    /// The node as XML; elements are self-contained as in ``Element/xml``.
    public var xml: String {
        var serializer = Serializer(tree)
        switch place {
        case .tree(0): serializer.writeDocument()
        case .tree(let index): serializer.write(index, standsAlone: true)
        case .attribute(let index): serializer.writeAttribute(index)
        }
        return String(decoding: serializer.output, as: UTF8.self)
    }

    /// The node as XML, equal to ``xml``.
    public var description: String { xml }
}
