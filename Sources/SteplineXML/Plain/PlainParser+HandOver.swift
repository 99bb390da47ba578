import CLibXML2

extension PlainParser {
    /// Brings a libxml2 push parser to this parser's position, without callbacks.
    ///
    /// The push parser receives the start tags of the open elements with their namespaces, each on its line. Both
    /// parsers share one dictionary of names.
    func handOver(to context: xmlParserCtxtPtr, column: Int) {
        xmlDictFree(context.pointee.dict)
        xmlDictReference(dictionary)
        context.pointee.dict = dictionary
        context.pointee.str_xml = names.keep("xml")
        context.pointee.str_xmlns = names.keep("xmlns")
        context.pointee.str_xml_ns = names.keep("http://www.w3.org/XML/1998/namespace")
        guard line > 1 || column > 1, let sax = context.pointee.sax else { return }
        let handlers = sax.pointee
        sax.pointee = Self.silent
        defer {
            sax.pointee = handlers
            context.pointee.input?.pointee.line = line
            context.pointee.input?.pointee.col = Int32(truncatingIfNeeded: column)
        }
        Self.push("<?xml version=\"1.0\"?>", to: context)
        if place == .end { Self.push("<a/>", to: context) }
        for index in 0..<open.count {
            context.pointee.input?.pointee.line = open.base[index].line
            let last = index + 1 < open.count ? open.base[index + 1].bindings : namespaces.count
            Self.push(
                startTag(of: open.base[index].name, declaring: open.base[index].bindings..<last), to: context)
        }
    }

    /// Handlers that only create the document for entities.
    nonisolated(unsafe) private static let silent: xmlSAXHandler = {  // constant after initialization
        var sax = xmlSAXHandler()
        sax.initialized = XML_SAX2_MAGIC
        sax.startDocument = { state in
            guard let context = SAXHandlers.state(state)?.pointee.context else { return }
            xmlSAX2StartDocument(UnsafeMutableRawPointer(context))
        }
        return sax
    }()

    private static func push(_ text: String, to context: xmlParserCtxtPtr) {
        var text = text
        text.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) {
                xmlParseChunk(context, $0.baseAddress, Int32(truncatingIfNeeded: $0.count), 0)
            }
        }
    }

    private func startTag(of name: Int, declaring bindings: Range<Int>) -> String {
        let entry = names.entries.base[name]
        var tag = "<" + (entry.prefix.map { String(cString: $0) + ":" } ?? "") + String(cString: entry.local)
        for index in bindings {
            let binding = namespaces.bindings.base[index]
            tag += binding.prefix.map { " xmlns:" + String(cString: $0) } ?? " xmlns"
            tag += "=\"" + Self.escaped(String(cString: binding.namespace)) + "\""
        }
        return tag + ">"
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            let isPlain = scalar.value >= 32 && !"&<\"".unicodeScalars.contains(scalar)
            escaped += isPlain ? String(Character(scalar)) : "&#\(scalar.value);"
        }
    }
}

extension PlainNames {
    func keep(_ text: StaticString) -> Bytes? { keep(text.utf8Start, text.utf8CodeUnitCount) }
}
