import CLibXML2

/// What libxml2's callbacks work on: a plain struct at a fixed address, so that no event counts references.
struct ParserState {
    let options: XML.Options
    /// Set right after the parser is made, before it sees a byte.
    var context: xmlParserCtxtPtr?
    var builder: TreeBuilder
    var info = DocumentInfo()
    /// The first error that ends the parse.
    var failure: XMLError?
    var problems: [XMLError] = []
    var depth = 0
    /// How many bytes entities and defaults have added.
    var expansion = 0
    /// Whether only records are kept, by `records`, instead of everything.
    let isStreaming: Bool
    /// Whether what comes now is kept.
    var isKeeping: Bool
    var records: RecordMatcher

    init(options: XML.Options, root: NodeKind, expecting bytes: Int, records: RecordMatcher? = nil) {
        self.options = options
        self.records = records ?? RecordMatcher(RecordPath("*"))
        isStreaming = records != nil
        isKeeping = records == nil
        builder = TreeBuilder(root: root, expecting: bytes)
    }

    @inline(__always)
    var line: Int32 { context?.pointee.input?.pointee.line ?? 0 }

    /// Ends the parse with an error at the parser's place.
    @inline(never)
    mutating func fail(_ code: XMLError.Code, _ message: String, limit: XMLError.Limit? = nil) {
        guard failure == nil else { return }
        let input = context?.pointee.input
        fail(
            XMLError(
                code, message, line: input.map { Int($0.pointee.line) },
                column: input.map { Int($0.pointee.col) },
                limit: limit))
    }

    mutating func fail(_ error: XMLError) {
        guard failure == nil else { return }
        failure = error
        context?.stop()
    }

    @inline(never)
    mutating func fail(_ limit: XMLError.Limit, _ message: String) { fail(.limit, message, limit: limit) }

    /// Bounds libxml2's dictionary, whose look-ups become slow when it holds more names than it has room for.
    @inline(__always)
    mutating func checkDictionary() {
        if Int(xmlDictSize(context?.pointee.dict)) > options.maximumNames { failOnNames() }
    }

    @inline(never)
    private mutating func failOnNames() {
        fail(.names, "there are more than \(options.maximumNames) different names")
    }

    /// Counts what an entity or a default adds; false if that is too much.
    mutating func expand(by bytes: Int) -> Bool {
        expansion += max(bytes, 0)
        guard expansion <= min(options.maximumEntityExpansion, 1 << 30) else {
            fail(.entityExpansion, "entities expand to more than \(options.maximumEntityExpansion) bytes")
            return false
        }
        return true
    }

    /// Notes what libxml2 reports; in a strict parse the first error is the end.
    mutating func report(_ report: xmlErrorPtr) {
        guard failure == nil, report.pointee.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        let error = XMLError(libxml: report, context: context)
        if !options.isLenient || error.code == .limit {
            fail(error)
        } else if problems.count < 1_000 {
            problems.append(error)
        }
    }
}

extension xmlParserCtxtPtr {
    /// Makes the parser come to its end without another callback.
    ///
    /// `xmlStopParser` frees the input at once, to which the parser may still point when it reports an error or asks
    /// for an entity. This does all else that it does.
    func stop() {
        pointee.disableSAX = 1
        pointee.instate = XML_PARSER_EOF
    }
}
