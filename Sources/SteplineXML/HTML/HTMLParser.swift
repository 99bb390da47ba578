import CLibXML2

/// Parses HTML with libxml2, then copies its tree.
///
/// libxml2's HTML parser closes tags by examining the tree under construction, so SAX events alone are not enough. Our
/// callbacks check limits before each element is added. Documents with NULs or too many attributes in a tag are handled
/// before parsing.
enum HTMLParser {
    /// The state of the callbacks: the limits, and libxml2's original callbacks.
    struct State {
        let options: XML.Options
        var context: htmlParserCtxtPtr?
        var depth = 0
        var failure: XMLError?
        var problems: [XMLError] = []
        var start: startElementSAXFunc?
        var end: endElementSAXFunc?
    }

    static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, options: XML.Options
    ) throws(XMLError) -> TreeStorage {
        try DocumentParser.checkSize(bytes.count, options)
        var decoder = HTMLDecoder(charset: options.charset)
        var text = decoder.decode(bytes)
        // libxml2 treats a NUL as a blank in some places and as the end in others: remove all.
        let hasNUL = text.withUnsafeBufferPointer { $0.offset(of: 0, from: 0) != nil }
        if hasNUL { text.removeAll { $0 == 0 } }
        return try text.withUnsafeBufferPointer { (text) throws(XMLError) in
            guard !text.isEmpty else {
                return HTMLTreeCopier.empty(decoder.encoding, problems: decoder.problems, options)
            }
            try DocumentParser.checkSize(text.count, options)
            if let line = HTMLTagGuard.crowdedLine(text, limit: options.maximumAttributes) {
                throw XMLError(
                    .limit, "an element has more than \(options.maximumAttributes) attributes", line: line,
                    limit: .attributes)
            }
            return try LibXML.quietly { () throws(XMLError) in
                try parseUTF8(text, options: options, encoding: decoder.encoding, decoder.problems)
            }
        }
    }

    private static func parseUTF8(
        _ bytes: UnsafeBufferPointer<UInt8>, options: XML.Options, encoding: String, _ problems: [XMLError]
    ) throws(XMLError) -> TreeStorage {
        let context = bytes.withMemoryRebound(to: CChar.self) {
            htmlCreateMemoryParserCtxt($0.baseAddress, Int32($0.count))
        }
        guard let context else { throw XMLError(.empty, "the input is empty") }
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(options: options, context: context, problems: problems))
        defer {
            if let document = context.pointee.myDoc {
                context.pointee.myDoc = nil
                xmlFreeDoc(document)
            }
            htmlFreeParserCtxt(context)
            state.deinitialize(count: 1)
            state.deallocate()
        }
        var flags = HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_NODEFDTD.rawValue
        flags |= HTML_PARSE_IGNORE_ENC.rawValue
        htmlCtxtUseOptions(context, Int32(bitPattern: flags))
        // Our limits apply instead of libxml2's, which has the same default.
        if options.maximumDepth > 256 {
            context.pointee.options |= Int32(bitPattern: XML_PARSE_HUGE.rawValue)
        }
        // The text is already UTF-8: prevent another conversion.
        context.pointee.charset = Int32(XML_CHAR_ENCODING_UTF8.rawValue)
        context.pointee._private = UnsafeMutableRawPointer(state)
        hook(context, state)
        htmlParseDocument(context)
        if let failure = state.pointee.failure { throw failure }
        var builder = HTMLTreeCopier(context, options: options)
        return try builder.tree(encoding: encoding, problems: state.pointee.problems)
    }

    /// Inserts our checks before libxml2's callbacks.
    private static func hook(_ context: htmlParserCtxtPtr, _ state: UnsafeMutablePointer<State>) {
        guard let sax = context.pointee.sax else { return }
        state.pointee.start = sax.pointee.startElement
        state.pointee.end = sax.pointee.endElement
        sax.pointee.startElement = { HTMLParser.startElement($0, $1, $2) }
        sax.pointee.endElement = { context, name in
            guard let state = HTMLParser.state(context), state.pointee.failure == nil else { return }
            state.pointee.depth -= 1
            state.pointee.end?(context, name)
        }
        sax.pointee.serror = { context, report in
            guard let report, let state = HTMLParser.state(context) else { return }
            HTMLParser.note(report, state)
        }
        sax.pointee.initialized = XML_SAX2_MAGIC
    }

    private static func state(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<State>? {
        context?.assumingMemoryBound(to: htmlParserCtxt.self).pointee._private?.assumingMemoryBound(
            to: State.self)
    }

    private static func startElement(
        _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        guard let state = state(context), state.pointee.failure == nil else { return }
        state.pointee.depth += 1
        if state.pointee.depth > state.pointee.options.maximumDepth {
            return fail(state, .depth, "elements nest deeper than \(state.pointee.options.maximumDepth)")
        }
        if Int(xmlDictSize(state.pointee.context?.pointee.dict)) > state.pointee.options.maximumNames {
            let limit = state.pointee.options.maximumNames
            return fail(state, .names, "there are more than \(limit) different names")
        }
        var count = 0
        while let attributes, attributes[2 * count] != nil { count += 1 }
        if count > state.pointee.options.maximumAttributes {
            let limit = state.pointee.options.maximumAttributes
            return fail(state, .attributes, "an element has more than \(limit) attributes")
        }
        state.pointee.start?(context, name, attributes)
    }

    private static func fail(_ state: UnsafeMutablePointer<State>, _ limit: XMLError.Limit, _ message: String)
    {
        let input = state.pointee.context?.pointee.input
        state.pointee.failure = XMLError(
            .limit, message, line: input.map { Int($0.pointee.line) },
            column: input.map { Int($0.pointee.col) },
            limit: limit)
        state.pointee.context?.stop()
    }

    /// Records an error; HTML errors never stop the parser, only limits do.
    private static func note(_ report: stepline_xml_report, _ state: UnsafeMutablePointer<State>) {
        guard state.pointee.failure == nil, report.pointee.level.rawValue >= XML_ERR_ERROR.rawValue else {
            return
        }
        guard state.pointee.problems.count < XMLError.maximumProblems || XMLError.mayBeLimit(report) else {
            return
        }
        let error = XMLError(libxml: report, context: state.pointee.context)
        if error.code == .limit || report.pointee.code == Int32(XML_ERR_NO_MEMORY.rawValue) {
            state.pointee.failure = error
            state.pointee.context?.stop()
        } else if state.pointee.problems.count < XMLError.maximumProblems {
            state.pointee.problems.append(error)
        }
    }
}
