/// Serializes nodes as XML, without recursion.
struct Serializer {
    private let tree: TreeStorage
    private(set) var output: [UInt8] = []
    /// The namespaces to declare on the next start tag.
    private var inherited: [(prefix: String, uri: String)] = []

    init(_ tree: TreeStorage) { self.tree = tree }

    /// Writes a node and its descendants, with inherited namespaces if it must be self-contained.
    mutating func write(_ start: Int, standsAlone: Bool = false) {
        let end = tree.end(of: start)
        if standsAlone, tree.nodes[start].kind == .element { inherited = Self.inherited(start, tree) }
        var open: [Int] = []
        var node = start
        while node < end {
            while let last = open.last, tree.end(of: last) <= node { close(&open) }
            if tree.nodes[node].kind == .element { startTag(node, &open) } else { leaf(node) }
            node += 1
        }
        while !open.isEmpty { close(&open) }
    }

    /// Writes a whole document with declaration and document type.
    mutating func writeDocument() {
        if !tree.info.isHTML {
            put("<?xml version=\"\(tree.info.version ?? "1.0")\" encoding=\"UTF-8\"")
            if let isStandalone = tree.info.isStandalone {
                put(" standalone=\"\(isStandalone ? "yes" : "no")\"")
            }
            put("?>\n")
        }
        if let doctype = tree.info.doctype { write(doctype) }
        var node = 1
        while node < tree.nodeCount {
            write(node)
            put("\n")
            node = tree.end(of: node)
        }
    }

    private mutating func write(_ doctype: XML.DocumentType) {
        put("<!DOCTYPE \(doctype.name)")
        if let publicID = doctype.publicID {
            put(" PUBLIC \"\(publicID)\"")
        } else if doctype.systemID != nil {
            put(" SYSTEM")
        }
        if let systemID = doctype.systemID {
            let quote = systemID.utf8.contains(UInt8(ascii: "\"")) ? "'" : "\""
            put(" \(quote)\(systemID)\(quote)")
        }
        put(">\n")
    }

    private mutating func put(_ text: String) { output.append(contentsOf: text.utf8) }

    private mutating func name(_ number: Int) { put(tree.names[number].qualified) }

    private mutating func startTag(_ node: Int, _ open: inout [Int]) {
        put("<")
        name(tree.nodes[node].name)
        for place in tree.declarationRange(of: node) {
            let declared = tree.names[Int(tree.declarations[place].name)]
            declare(declared.local, declared.namespace ?? "")
        }
        for (prefix, uri) in inherited { declare(prefix, uri) }
        inherited = []
        for place in tree.attributeRange(of: node) {
            put(" ")
            writeAttribute(place)
        }
        if tree.end(of: node) == node + 1 {
            put("/>")
        } else {
            put(">")
            open.append(node)
        }
    }

    private mutating func declare(_ prefix: String, _ uri: String) {
        put(prefix.isEmpty ? " xmlns=\"" : " xmlns:\(prefix)=\"")
        escape(uri.utf8, quoted: true)
        put("\"")
    }

    /// Returns the namespaces in scope that the element doesn't declare itself.
    private static func inherited(_ node: Int, _ tree: TreeStorage) -> [(prefix: String, uri: String)] {
        let element = XML.Element(tree: tree, index: node)
        let own = element.declaredNamespaces
        return element.namespaces.filter { own[$0.key] == nil && !$0.value.isEmpty }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Writes an attribute as in a start tag.
    mutating func writeAttribute(_ place: Int) {
        let record = tree.attributes[place]
        name(Int(record.name))
        put("=\"")
        let count = Int(record.end &- record.start)
        escape(UnsafeBufferPointer(start: tree.side + Int(record.start), count: count), quoted: true)
        put("\"")
    }

    private mutating func close(_ open: inout [Int]) {
        guard let node = open.popLast() else { return }
        put("</")
        name(tree.nodes[node].name)
        put(">")
    }

    private mutating func leaf(_ node: Int) {
        let content = tree.content(node)
        switch tree.nodes[node].kind {
        case .text: escape(content, quoted: false)
        case .cdata: section(content)
        case .comment: wrap("<!--", content, "-->")
        case .instruction:
            put("<?")
            name(tree.nodes[node].name)
            wrap(content.isEmpty ? "" : " ", content, "?>")
        case .document, .batch, .element: break
        }
    }

    /// Writes a CDATA section; splits it where the content contains the end marker.
    private mutating func section(_ content: UnsafeBufferPointer<UInt8>) {
        put("<![CDATA[")
        for (index, byte) in content.enumerated() {
            let endsHere = byte == UInt8(ascii: ">") && index >= 2 && content[index - 1] == UInt8(ascii: "]")
            if endsHere, content[index - 2] == UInt8(ascii: "]") { put("]]><![CDATA[") }
            output.append(byte)
        }
        put("]]>")
    }

    private mutating func wrap(_ before: String, _ content: UnsafeBufferPointer<UInt8>, _ after: String) {
        put(before)
        output.append(contentsOf: content)
        put(after)
    }

    /// Escapes a text so that it is parsed unchanged, including line ends and tabs in attributes.
    private mutating func escape(_ bytes: some Collection<UInt8>, quoted: Bool) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "<"): put("&lt;")
            case UInt8(ascii: ">"): put("&gt;")
            case UInt8(ascii: "&"): put("&amp;")
            case 13: put("&#13;")
            case UInt8(ascii: "\"") where quoted: put("&quot;")
            case 9 where quoted: put("&#9;")
            case 10 where quoted: put("&#10;")
            default: output.append(byte)
            }
        }
    }
}
