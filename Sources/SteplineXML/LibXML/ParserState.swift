import CLibXML2

/// The state of libxml2's callbacks: a plain struct at a fixed address, to avoid reference counting for each event.
struct ParserState {
    let options: XML.Options
    /// The libxml2 parser, set before it receives any input.
    var context: xmlParserCtxtPtr?
    /// The line of the plain parser while it is active.
    var plainLine: Int32 = 0
    /// Whether the last piece of a CDATA section ended with a carriage return.
    var endsInReturn = false
    var builder: TreeBuilder
    var info = DocumentInfo()
    /// The first error that stops the parser.
    var failure: XMLError?
    var problems: [XMLError] = []
    var depth = 0
    /// The number of bytes added by entities and defaults.
    private var expansion = 0
    private var progress = ProgressWatch()
    private var declarations = DeclarationCount()
    /// The number of `|` added to declarations by parameter entities.
    var entityBars = 0
    /// The number of namespaces declared on the open elements.
    private var scope = NamespaceScope()
    /// Whether only records are stored, as decided by `records`.
    let isStreaming: Bool
    /// Whether the current content is stored.
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
    var line: Int32 { context?.pointee.input?.pointee.line ?? plainLine }

    /// Stops the parser with an error at its current place, also in a lenient parse.
    @inline(never)
    mutating func fail(_ code: XMLError.Code, _ message: String, limit: XMLError.Limit? = nil) {
        guard failure == nil else { return }
        let input = context?.pointee.input
        fail(
            XMLError(
                code, message, line: Int(line),
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

    /// Limits the number of names in libxml2's dictionary, whose lookups slow down when it is full.
    @inline(__always)
    mutating func checkDictionary() {
        if Int(xmlDictSize(context?.pointee.dict)) > options.maximumNames { failOnNames() }
    }

    @inline(never)
    mutating func failOnNames() {
        fail(.names, "there are more than \(options.maximumNames) different names")
    }

    /// Counts bytes added by an entity or a default; returns false if the limit is exceeded.
    mutating func expand(by bytes: Int) -> Bool {
        expansion += max(bytes, 0)
        guard expansion <= min(options.maximumEntityExpansion, 1 << 30) else {
            fail(.entityExpansion, "entities expand to more than \(options.maximumEntityExpansion) bytes")
            return false
        }
        return true
    }

    /// Stops the parser if it calls back repeatedly without reading further; returns false then.
    mutating func checkProgress() -> Bool {
        guard failure == nil else { return false }
        guard let input = context?.pointee.inputTab?.pointee else { return true }
        let place = Int(input.pointee.consumed) + (input.pointee.cur - input.pointee.base)
        // Each reference inside an entity accounts for at least three added bytes.
        if progress.isStuck(at: place, patience: max(65_536, min(options.maximumEntityExpansion, 1 << 30))) {
            fail(.entityExpansion, "the parser comes no further")
        }
        return failure == nil
    }

    /// Counts the namespaces of an opened element; looking one up is linear in their number.
    @inline(__always)
    mutating func enterScope(_ count: Int) {
        guard count > 0 else { return }
        if scope.enter(count, depth: depth) > options.maximumAttributes {
            fail(.attributes, "more than \(options.maximumAttributes) namespaces are declared at one place")
        }
    }

    @inline(__always)
    mutating func leaveScope() { scope.leave(to: depth) }

    /// Counts a declared attribute; libxml2 searches all declarations of an element for each new one.
    mutating func countDeclaration(of element: UnsafePointer<UInt8>) {
        if declarations.count(element) > options.maximumAttributes {
            fail(.attributes, "more than \(options.maximumAttributes) attributes of an element are declared")
        } else if declarations.hasTooManyElements {
            fail(.names, "attributes of more than \(DeclarationCount.maximumElements) elements are declared")
        }
    }

    /// Records a libxml2 error: in strict mode the first one stops the parser, in lenient mode only an exceeded limit.
    mutating func report(_ report: stepline_xml_report) {
        guard report.pointee.level.rawValue >= XML_ERR_ERROR.rawValue, checkProgress() else { return }
        // libxml2 warns about namespaces that aren't URIs; that isn't an error.
        guard report.pointee.code != Int32(XML_WAR_NS_URI.rawValue) else { return }
        if options.isLenient, problems.count >= XMLError.maximumProblems,
            !XMLError.mayBeLimit(report)
        {
            return
        }
        let error = XMLError(libxml: report, context: context)
        let isMended =
            options.isLenient
            ? error.code != .limit
            : options.toleratesNamespaceFaults && error.code == .namespace
        if !isMended {
            fail(error)
        } else if problems.count < XMLError.maximumProblems {
            problems.append(error)
        }
    }
}

extension xmlParserCtxtPtr {
    /// Stops the parser without another callback.
    ///
    /// `xmlStopParser` frees the input immediately, although the parser may still refer to it when reporting an error
    /// or requesting an entity. This method does the rest of its work: in this state the parser advances no further.
    /// Some loops check only the next character, so the remaining input must be empty.
    func stop() {
        pointee.disableSAX = 1
        pointee.instate = XML_PARSER_EOF
        for index in 0..<max(0, Int(pointee.inputNr)) {
            guard let input = pointee.inputTab?[index] else { continue }
            input.pointee.cur = input.pointee.end
        }
    }
}
