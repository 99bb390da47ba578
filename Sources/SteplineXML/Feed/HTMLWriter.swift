/// Serializes elements as HTML: without prefixes, omitting the end tags of void elements.
struct HTMLWriter {
    private var output = ""

    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track", "wbr",
    ]

    /// Returns the content of an element as HTML.
    static func inner(of element: XML.Element) -> String {
        var writer = HTMLWriter()
        var open: [(element: XML.Element, end: Int)] = []
        let tree = element.tree
        var node = element.index + 1
        while node < tree.end(of: element.index) {
            while let last = open.last, last.end <= node { writer.close(open.removeLast().element) }
            switch tree.nodes[node].kind {
            case .element:
                let child = XML.Element(tree: tree, index: node)
                writer.start(child)
                open.append((child, tree.end(of: node)))
            case .text, .cdata: writer.output += HTMLText.escaped(tree.contentString(node))
            default: break
            }
            node += 1
        }
        while let last = open.popLast() { writer.close(last.element) }
        return writer.output
    }

    private mutating func start(_ element: XML.Element) {
        output += "<" + element.localName
        for attribute in element.attributes {
            let name = attribute.prefix == "xml" ? attribute.localName : attribute.name
            output += " \(name)=\"" + HTMLText.escaped(attribute.value, quoted: true) + "\""
        }
        output += ">"
    }

    private mutating func close(_ element: XML.Element) {
        if !Self.void.contains(element.localName) { output += "</" + element.localName + ">" }
    }
}
