import CLibXML2

/// libxml2's callbacks; each receives the address of a ``ParserState``.
enum SAXHandlers {
    typealias State = UnsafeMutablePointer<ParserState>

    @inline(__always)
    static func state(_ context: UnsafeMutableRawPointer?) -> State? {
        context?.assumingMemoryBound(to: ParserState.self)
    }

    /// The SAX handlers, which can't load anything.
    nonisolated(unsafe) static let shared: xmlSAXHandler = {  // constant after initialization
        var sax = xmlSAXHandler()
        sax.initialized = XML_SAX2_MAGIC
        sax.startDocument = { _ = SAXHandlers.state($0).map { SAXHandlers.startDocument($0) } }
        sax.internalSubset = { SAXHandlers.internalSubset($0, $1, $2, $3) }
        sax.entityDecl = { SAXHandlers.entityDeclaration($0, $1, $2, $3, $4, $5) }
        sax.attributeDecl = { context, element, name, type, _, _, values in
            SAXHandlers.attributeDeclaration(context, element, name, type, values)
        }
        sax.getEntity = { SAXHandlers.entity($0, $1) }
        sax.getParameterEntity = { SAXHandlers.parameterEntity($0, $1) }
        sax.startElementNs = { SAXHandlers.startElement($0, $1, $2, $3, $4, $5, $6, $7, $8) }
        sax.endElementNs = { context, _, _, _ in SAXHandlers.endElement(context) }
        sax.characters = { SAXHandlers.characters($0, $1, $2) }
        sax.ignorableWhitespace = sax.characters
        sax.cdataBlock = { SAXHandlers.cdata($0, $1, $2) }
        sax.comment = { SAXHandlers.comment($0, $1) }
        sax.processingInstruction = { SAXHandlers.instruction($0, $1, $2) }
        sax.serror = { context, report in
            // Validity errors don't matter; libxml2 reports these with the parser's own address.
            guard let report, context != report.pointee.ctxt else { return }
            if let state = SAXHandlers.state(context) { state.pointee.report(report) }
        }
        return sax
    }()
}
