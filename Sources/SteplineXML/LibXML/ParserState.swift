import CLibXML2

/// What libxml2's callbacks work on: a plain struct at a fixed address, so that no event counts references.
struct ParserState {
    let options: XML.Options
    /// libxml2's parser: set right after it is made, before it sees a byte.
    var context: xmlParserCtxtPtr?
    /// Where the plain parser is, as long as that one isn't needed.
    var plainLine: Int32 = 0
    /// Whether the last piece of a CDATA section ended in a carriage return.
    var endsInReturn = false
    var builder: TreeBuilder
    var info = DocumentInfo()
    /// The first error that ends the parse.
    var failure: XMLError?
    var problems: [XMLError] = []
    var depth = 0
    /// How many bytes entities and defaults have added.
    private var expansion = 0
    private var progress = ProgressWatch()
    private var declarations = DeclarationCount()
    /// How many `|` parameter entities have brought into declarations.
    var entityBars = 0
    /// How many namespaces are declared on the open elements.
    private var scope = NamespaceScope()
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
    var line: Int32 { context?.pointee.input?.pointee.line ?? plainLine }

    /// Ends the parse with an error at the parser's place.
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

    /// Bounds libxml2's dictionary, whose look-ups become slow when it holds more names than it has room for.
    @inline(__always)
    mutating func checkDictionary() {
        if Int(xmlDictSize(context?.pointee.dict)) > options.maximumNames { failOnNames() }
    }

    @inline(never)
    mutating func failOnNames() {
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

    /// Ends the parse if libxml2 asks and reports again and again without reading on; false then.
    mutating func checkProgress() -> Bool {
        guard failure == nil else { return false }
        guard let input = context?.pointee.inputTab?.pointee else { return true }
        let place = Int(input.pointee.consumed) + (input.pointee.cur - input.pointee.base)
        // Each reference within an entity is at least three bytes of what it has added.
        if progress.isStuck(at: place, patience: max(65_536, min(options.maximumEntityExpansion, 1 << 30))) {
            fail(.entityExpansion, "the parser comes no further")
        }
        return failure == nil
    }

    /// Counts the namespaces of an element that is opened; looking one up takes as long as there are many.
    @inline(__always)
    mutating func enterScope(_ count: Int) {
        guard count > 0 else { return }
        if scope.enter(count, depth: depth) > options.maximumAttributes {
            fail(.attributes, "more than \(options.maximumAttributes) namespaces are declared at one place")
        }
    }

    @inline(__always)
    mutating func leaveScope() { scope.leave(to: depth) }

    /// Counts a declared attribute; the parser looks through all of an element's for each further one.
    mutating func countDeclaration(of element: UnsafePointer<UInt8>) {
        if declarations.count(element) > options.maximumAttributes {
            fail(.attributes, "more than \(options.maximumAttributes) attributes of an element are declared")
        } else if declarations.hasTooManyElements {
            fail(.names, "attributes of more than \(DeclarationCount.maximumElements) elements are declared")
        }
    }

    /// Notes what libxml2 reports; in a strict parse the first error is the end.
    mutating func report(_ report: xmlErrorPtr) {
        guard report.pointee.level.rawValue >= XML_ERR_ERROR.rawValue, checkProgress() else { return }
        // Namespaces are names: what they look like is no fault, though libxml2 wants them to be addresses.
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
    /// Makes the parser come to its end without another callback.
    ///
    /// `xmlStopParser` frees the input at once, to which the parser may still point when it reports an error or asks
    /// for an entity. This does all else that it does: in this state the parser steps over no character any more,
    /// and some of its loops look at nothing but the next one, so nothing may be left to look at.
    func stop() {
        pointee.disableSAX = 1
        pointee.instate = XML_PARSER_EOF
        for index in 0..<max(0, Int(pointee.inputNr)) {
            guard let input = pointee.inputTab?[index] else { continue }
            input.pointee.cur = input.pointee.end
        }
    }
}
