import CLibXML2

/// A libxml2 tree of a document for its XPath engine; each of its nodes has the number of ours.
final class QueryTree: @unchecked Sendable {  // constant after `init`, and XPath only reads it
    let document: xmlDocPtr
    /// The libxml2 nodes of our nodes from `start`; the first is the document.
    private let nodes: UnsafeMutablePointer<xmlNodePtr?>
    private let start: Int
    private var spaces: [xmlNsPtr?] = []

    /// Builds the tree of a whole document or of one record.
    ///
    /// Nil only if memory is exhausted.
    init?(_ tree: TreeStorage, root: Int) {
        guard let document = xmlNewDoc("1.0") else { return nil }
        self.document = document
        start = root
        let end = tree.end(of: root)
        nodes = .allocate(capacity: end - root + 1)
        nodes.initialize(repeating: nil, count: end - root + 1)
        document.pointee.dict = xmlDictCreate()
        build(tree, root == 0 ? 1..<end : root..<end)
        xmlXPathOrderDocElems(document)
    }

    deinit {
        xmlFreeDoc(document)
        for space in spaces where space != nil { xmlFreeNs(space) }
        nodes.deallocate()
    }

    /// Returns the libxml2 node of one of our nodes.
    func node(_ index: Int) -> xmlNodePtr? {
        index == 0 ? documentNode : nodes[index - start]
    }

    private var documentNode: xmlNodePtr {
        UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self)
    }

    private func build(_ tree: TreeStorage, _ range: Range<Int>) {
        let names = tree.names.map { xmlDictLookup(document.pointee.dict, $0.local, -1) }
        spaces = tree.names.map(Self.space)
        for index in range {
            let record = tree.nodes[index]
            let parent =
                index == range.lowerBound || record.parent == 0 ? documentNode : node(Int(record.parent))
            guard let parent, let made = make(tree, index, record, names) else { continue }
            made.pointee._private = UnsafeMutableRawPointer(bitPattern: index + 1)
            made.pointee.parent = parent
            if let last = parent.pointee.last {
                last.pointee.next = made
                made.pointee.prev = last
            } else {
                parent.pointee.children = made
            }
            parent.pointee.last = made
            nodes[index - start] = made
            if record.kind == .element { addAttributes(tree, index, made, names) }
        }
    }

    private static func space(of name: QualifiedName) -> xmlNsPtr? {
        guard let uri = name.namespace else { return nil }
        // The constructor refuses the predefined prefix `xml`.
        guard name.prefix == "xml" else { return xmlNewNs(nil, uri, name.prefix) }
        let space = xmlNewNs(nil, uri, nil)
        space?.pointee.prefix = UnsafePointer(xmlStrdup("xml"))
        return space
    }

    private func make(
        _ tree: TreeStorage, _ index: Int, _ record: NodeRecord, _ names: [UnsafePointer<xmlChar>?]
    ) -> xmlNodePtr? {
        let content = tree.content(index)
        switch record.kind {
        case .element:
            let element = xmlNewDocNodeEatName(
                document, spaces[record.name], UnsafeMutablePointer(mutating: names[record.name]), nil)
            for place in tree.declarationRange(of: index) {
                let name = tree.names[Int(tree.declarations[place].name)]
                xmlNewNs(element, name.namespace ?? "", name.local.isEmpty ? nil : name.local)
            }
            return element
        case .text: return xmlNewDocTextLen(document, content.baseAddress, Int32(content.count))
        case .cdata: return xmlNewCDataBlock(document, content.baseAddress, Int32(content.count))
        case .comment: return xmlNewDocComment(document, tree.contentString(index))
        case .instruction:
            return xmlNewDocPI(document, tree.names[record.name].qualified, tree.contentString(index))
        case .document, .batch: return nil
        }
    }

    private func addAttributes(
        _ tree: TreeStorage, _ index: Int, _ element: xmlNodePtr, _ names: [UnsafePointer<xmlChar>?]
    ) {
        for place in tree.attributeRange(of: index) {
            let name = Int(tree.attributes[place].name)
            let made = xmlNewNsPropEatName(
                element, spaces[name], UnsafeMutablePointer(mutating: names[name]), tree.attributeValue(place)
            )
            made?.pointee._private = UnsafeMutableRawPointer(bitPattern: place + 1)
            if let made, isID(tree, element: tree.nodes[index].name, attribute: name) {
                xmlAddID(nil, document, ScalarText.trimmed(tree.attributeValue(place)), made)
            }
        }
    }

    /// Returns whether an attribute is an ID: `xml:id`, `id` in HTML, or declared as ID in the document type.
    private func isID(_ tree: TreeStorage, element: Int, attribute: Int) -> Bool {
        let name = tree.names[attribute]
        if name.local == "id", tree.info.isHTML || name.prefix == "xml" { return true }
        guard !tree.info.ids.isEmpty else { return false }
        return tree.info.ids[tree.names[element].qualified]?.contains(name.qualified) ?? false
    }
}
