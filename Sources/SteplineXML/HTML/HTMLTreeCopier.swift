import CLibXML2

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Copies a tree of libxml2 into ours, without recursion.
struct HTMLTreeCopier {
    private let context: htmlParserCtxtPtr
    private let options: XML.Options
    private var builder: TreeBuilder
    private var names: PlainNames
    /// The builder's numbers for `names`.
    private var numbers: [UInt32] = []
    private var isTooLong = false

    init(_ context: htmlParserCtxtPtr, options: XML.Options) {
        self.context = context
        self.options = options
        builder = TreeBuilder(root: .document, expecting: 4_096)
        names = PlainNames(context.pointee.dict)
    }

    /// Returns the tree of an empty page, with a root like in a browser.
    static func empty(_ encoding: String, problems: [XMLError], _ options: XML.Options) -> TreeStorage {
        var builder = TreeBuilder(root: .document, expecting: 64)
        openRoot(&builder)
        builder.finish()
        defer { builder.names.destroy() }
        return TreeStorage(
            taking: &builder, info: DocumentInfo(encoding: encoding, isHTML: true), problems: problems,
            queryOperations: options.maximumQueryOperations)
    }

    private static func openRoot(_ builder: inout TreeBuilder) {
        "html".utf8CString.withUnsafeBytes { name in
            let name = builder.names.number(name.bindMemory(to: UInt8.self).baseAddress, nil, nil)
            _ = builder.openElement(name: name, line: 1)
        }
    }

    /// Returns the tree; throws if a limit is exceeded.
    mutating func tree(encoding: String, problems: [XMLError]) throws(XMLError) -> TreeStorage {
        guard let document = context.pointee.myDoc else {
            builder.destroy()
            names.destroy()
            return Self.empty(encoding, problems: problems, options)
        }
        copy(document)
        names.destroy()
        if xmlDocGetRootElement(document) == nil { Self.openRoot(&builder) }
        let isNameTooLong = builder.names.longest > options.maximumNameLength
        guard !isTooLong, !isNameTooLong else {
            builder.destroy()
            throw isTooLong
                ? XMLError(
                    .limit, "a text is longer than \(options.maximumTextLength) bytes", limit: .textLength)
                : XMLError(
                    .limit, "a name is longer than \(options.maximumNameLength) bytes", limit: .nameLength)
        }
        builder.finish()
        defer { builder.names.destroy() }
        var info = DocumentInfo(encoding: encoding, isHTML: true)
        if let subset = xmlGetIntSubset(document) {
            info.doctype = XML.DocumentType(
                name: subset.pointee.name.map { String(cString: $0) } ?? "html",
                publicID: subset.pointee.ExternalID.map { String(cString: $0) },
                systemID: subset.pointee.SystemID.map { String(cString: $0) })
        }
        return TreeStorage(
            taking: &builder, info: info, problems: problems, queryOperations: options.maximumQueryOperations)
    }

    private mutating func copy(_ document: xmlDocPtr) {
        var node = document.pointee.children
        while let current = node {
            add(current)
            if current.pointee.type == XML_ELEMENT_NODE, let child = current.pointee.children {
                node = child
                continue
            }
            var done = current
            if done.pointee.type == XML_ELEMENT_NODE { builder.closeElement() }
            while done.pointee.next == nil, let parent = done.pointee.parent,
                parent.pointee.type == XML_ELEMENT_NODE
            {
                builder.closeElement()
                done = parent
            }
            node = done.pointee.next
        }
    }

    private mutating func add(_ node: xmlNodePtr) {
        let line = Int32(truncatingIfNeeded: xmlGetLineNo(node))
        switch node.pointee.type {
        case XML_ELEMENT_NODE: open(node, line)
        case XML_TEXT_NODE: text(node) { _ = $0.addText($1, count: $2, line: line) }
        case XML_CDATA_SECTION_NODE: text(node) { _ = $0.addCDATA($1, count: $2, line: line) }
        case XML_COMMENT_NODE: text(node) { $0.addAside(.comment, $1, count: $2, line: line) }
        case XML_PI_NODE:
            let name = number(node.pointee.name)
            text(node) { $0.addAside(.instruction, name: name, $1, count: $2, line: line) }
        default: break
        }
    }

    private mutating func text(
        _ node: xmlNodePtr, _ add: (inout TreeBuilder, UnsafePointer<UInt8>, Int) -> Void
    ) {
        guard let content = node.pointee.content else { return }
        let count = strlen(UnsafeRawPointer(content).assumingMemoryBound(to: CChar.self))
        if count > options.maximumTextLength { isTooLong = true }
        add(&builder, content, count)
    }

    private mutating func open(_ node: xmlNodePtr, _ line: Int32) {
        let element = builder.openElement(name: number(node.pointee.name), line: line)
        var attribute = node.pointee.properties
        while let current = attribute {
            let name = number(current.pointee.name)
            if let text = current.pointee.children, text.pointee.type == XML_TEXT_NODE,
                text.pointee.next == nil, let content = text.pointee.content
            {
                add(name, element, content)
            } else if let value = xmlNodeListGetString(
                context.pointee.myDoc, current.pointee.children, 1)
            {
                add(name, element, value)
                stepline_xml_free(value)
            } else if let written = current.pointee.name {
                // An attribute without a value, such as `checked`: the value is empty.
                builder.addAttribute(name: name, owner: element, value: written, count: 0)
            }
            attribute = current.pointee.next
        }
    }

    private mutating func add(_ name: UInt32, _ element: UInt32, _ value: UnsafeMutablePointer<xmlChar>) {
        let count = strlen(UnsafeRawPointer(value).assumingMemoryBound(to: CChar.self))
        if count > options.maximumTextLength { isTooLong = true }
        builder.addAttribute(name: name, owner: element, value: value, count: count)
    }

    /// Returns the number of a name; some names aren't in libxml2's dictionary and must be compared by content.
    private mutating func number(_ name: UnsafePointer<xmlChar>?) -> UInt32 {
        guard let name else { return builder.names.number(nil, nil, nil) }
        let count = strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
        guard count > 0, let place = names.number(name, count, colon: -1) else {
            return builder.names.number(xmlDictLookup(context.pointee.dict, name, -1), nil, nil)
        }
        // Numbers are assigned in sequence.
        if place == numbers.count {
            numbers.append(builder.names.number(names.entries.base[place].local, nil, nil))
        }
        return numbers[place]
    }
}
