extension XML.Document: CustomStringConvertible {
    /// The document as XML in UTF-8 with a declaration; parsed again, it gives an equal tree.
    ///
    /// Entities and attribute defaults have been expanded, and their declarations are left out.
    public var xml: String { String(decoding: xmlBytes, as: UTF8.self) }

    /// The bytes of ``xml``.
    package var xmlBytes: [UInt8] {
        var serializer = Serializer(tree)
        serializer.writeDocument()
        return serializer.output
    }

    /// The same as ``xml``.
    public var description: String { xml }
}

extension XML.Element: CustomStringConvertible {
    /// The element and all below it as XML that can stand alone: namespaces from around it are declared on it.
    public var xml: String { node.xml }

    /// The same as ``xml``.
    public var description: String { xml }
}

extension XML.Attribute: CustomStringConvertible {
    /// The attribute as it would stand in a start tag.
    public var description: String { node.xml }
}

extension XML.Node: CustomStringConvertible {
    /// The node and all below it as XML; an element can stand alone, as in ``Element/xml``.
    public var xml: String {
        var serializer = Serializer(tree)
        switch place {
        case .tree(0): serializer.writeDocument()
        case .tree(let index): serializer.write(index, standsAlone: true)
        case .attribute(let index): serializer.writeAttribute(index)
        }
        return String(decoding: serializer.output, as: UTF8.self)
    }

    /// The same as ``xml``.
    public var description: String { xml }
}

extension XML.Element {
    /// What stands between the tags, as markup that needs its surroundings.
    var innerXML: String {
        var serializer = Serializer(tree)
        for node in nodes {
            if case .tree(let index) = node.place { serializer.write(index) }
        }
        return String(decoding: serializer.output, as: UTF8.self)
    }
}
