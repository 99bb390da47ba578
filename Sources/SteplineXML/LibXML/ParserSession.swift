import CLibXML2

/// Owns a libxml2 parser and the state of its callbacks; frees both.
final class ParserSession {
    let state: UnsafeMutablePointer<ParserState>
    private(set) var context: xmlParserCtxtPtr?

    init(options: XML.Options, root: NodeKind, expecting bytes: Int, records: RecordMatcher? = nil) {
        state = .allocate(capacity: 1)
        state.initialize(to: ParserState(options: options, root: root, expecting: bytes, records: records))
    }

    deinit {
        release()
        if !isTaken { state.pointee.builder.destroy() }
        state.deinitialize(count: 1)
        state.deallocate()
    }

    private var isTaken = false

    /// Takes ownership of a parser and configures it: no network, no external entities, our callbacks.
    func adopt(_ context: xmlParserCtxtPtr) {
        self.context = context
        let options = state.pointee.options
        var flags = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        if options.isLenient { flags |= XML_PARSE_RECOVER.rawValue }
        // Lift libxml2's fixed limits only where ours are larger.
        if options.maximumDepth > 256 || options.maximumTextLength > 10_000_000
            || options.maximumNameLength > 50_000
        {
            flags |= XML_PARSE_HUGE.rawValue
        }
        xmlCtxtUseOptions(context, Int32(bitPattern: flags))
        context.pointee.sax.pointee = SAXHandlers.shared
        context.pointee.userData = UnsafeMutableRawPointer(state)
        // Expand entities in attributes as in texts. Unlike the parser option, this flag never loads anything: external
        // entities are never declared.
        context.pointee.replaceEntities = 1
        state.pointee.context = context
    }

    /// Frees the libxml2 parser.
    func release() {
        guard let context else { return }
        state.pointee.context = nil
        self.context = nil
        LibXML.quietly {
            if let document = context.pointee.myDoc {
                context.pointee.myDoc = nil
                xmlFreeDoc(document)
            }
            xmlFreeParserCtxt(context)
        }
    }

    /// Returns the built tree, or throws the failure.
    func finish() throws(XMLError) -> TreeStorage {
        if let failure = state.pointee.failure { throw failure }
        let isWellFormed = context.map { $0.pointee.wellFormed != 0 } ?? true
        release()
        guard isWellFormed || state.pointee.options.isLenient else {
            throw XMLError(.malformed, "the document isn't well-formed")
        }
        state.pointee.builder.finish()
        isTaken = true
        defer { state.pointee.builder.names.destroy() }
        return TreeStorage(
            taking: &state.pointee.builder, info: state.pointee.info, problems: state.pointee.problems,
            queryOperations: state.pointee.options.maximumQueryOperations)
    }
}
