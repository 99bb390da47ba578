import CLibXML2

/// The parsers of ``XML/RecordParser``: the plain parser until it is unsure, then libxml2's push parser.
final class RecordCore {
    private let session: ParserSession
    private var plain: PlainFeed?
    private var decoder: InputDecoder
    private let options: XML.Options
    private var size = 0
    /// The text not yet passed to the parser.
    private var held: [UInt8] = []
    /// The number of bytes that the parser keeps unparsed.
    private var waiting = 0

    /// The incomplete start tag with its position in the input.
    private var tag = (begin: 0, count: TagCount())

    /// The size of pieces for libxml2.
    private static let piece = 65_536

    init(_ path: RecordPath, options: XML.Options) {
        self.options = options
        decoder = InputDecoder(charset: options.charset)
        session = ParserSession(
            options: options, root: .batch, expecting: Self.piece, records: RecordMatcher(path))
        LibXML.quietly { plain = PlainFeed(session.state) }
        if plain == nil { startLibXML() }
    }

    deinit { plain?.destroy() }

    private func startLibXML() {
        LibXML.quietly {
            guard let context = xmlCreatePushParserCtxt(nil, nil, nil, 0, nil) else { return }
            session.adopt(context)
            if let plain { plain.parser.handOver(to: context, column: plain.column) }
        }
    }

    /// Parses bytes; throws for invalid bytes after parsing everything before them.
    func feed(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) throws(XMLError) {
        let allowed = UnsafeBufferPointer(rebasing: bytes.prefix(max(0, options.maximumSize - size)))
        size += bytes.count
        if isLast, size == 0 { throw XMLError(.empty, "the input is empty") }
        try decode(allowed, isLast: isLast)
        guard allowed.count == bytes.count else {
            try flush()
            throw XMLError(.limit, "the input has more than \(options.maximumSize) bytes", limit: .size)
        }
        if isLast { try end() }
    }

    private func decode(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) throws(XMLError) {
        var isOfDecoder = true
        do throws(XMLError) {
            try decoder.decode(bytes, isLast: isLast) { (text) throws(XMLError) in
                isOfDecoder = false
                try take(text)
                isOfDecoder = true
            }
        } catch {
            guard isOfDecoder else { throw error }
            // Parse the valid text first: an error in it comes earlier.
            try flush()
            throw placed(error)
        }
    }

    /// Returns a decoder error with the position after all parsed text.
    private func placed(_ error: XMLError) -> XMLError {
        if let plain {
            var error = error
            (error.line, error.column) = plain.end
            return error
        }
        guard let input = session.context?.pointee.input, let start = input.pointee.cur else { return error }
        let rest = UnsafeBufferPointer(start: start, count: input.pointee.end - start)
        let inLine = rest.lastIndex(of: 10).map { rest.count - $0 } ?? Int(input.pointee.col) + rest.count
        var error = error
        error.line = rest.reduce(Int(input.pointee.line)) { $0 + ($1 == 10 ? 1 : 0) }
        error.column = max(1, inLine)
        return error
    }

    /// Passes text to the parser, or collects it while much text waits unparsed: the parser re-examines waiting text
    /// with every piece.
    private func take(_ text: UnsafeBufferPointer<UInt8>) throws(XMLError) {
        if plain != nil { return try takePlainly(text) }
        guard !held.isEmpty || waiting > Self.piece else { return try push(text) }
        held.append(contentsOf: text)
        if held.count >= waiting / 4 { try flush() }
    }

    private func takePlainly(
        _ text: UnsafeBufferPointer<UInt8>, isLast: Bool = false, isForced: Bool = false
    ) throws(XMLError) {
        let isPlain = try LibXML.quietly { () throws(XMLError) in
            try plain?.take(text, isLast: isLast, isForced: isForced) { () throws(XMLError) in
                try checkRecord()
            } ?? true
        }
        guard !isPlain else { return }
        startLibXML()
        held = plain?.held ?? []
        plain?.destroy()
        plain = nil
        try flush()
    }

    private func flush() throws(XMLError) {
        if plain != nil { try takePlainly(UnsafeBufferPointer(start: nil, count: 0), isForced: true) }
        guard !held.isEmpty else { return }
        let text = held
        held = []
        try text.withUnsafeBufferPointer { (text) throws(XMLError) in try push(text) }
    }

    private func push(_ text: UnsafeBufferPointer<UInt8>) throws(XMLError) {
        guard let context = session.context else {
            throw XMLError(.misuse, "there is no memory for a parser")
        }
        try LibXML.quietly { () throws(XMLError) in
            var rest = text
            while !rest.isEmpty {
                let piece = UnsafeBufferPointer(rebasing: rest.prefix(Self.piece))
                rest = UnsafeBufferPointer(rebasing: rest.dropFirst(piece.count))
                piece.withMemoryRebound(to: CChar.self) { piece in
                    _ = xmlParseChunk(context, piece.baseAddress, Int32(piece.count), 0)
                }
                waiting = context.pointee.input.map { $0.pointee.end - $0.pointee.cur } ?? 0
                try check(context)
            }
        }
    }

    private func check(_ context: xmlParserCtxtPtr) throws(XMLError) {
        try checkRecord()
        let state = session.state
        if context.pointee.instate == XML_PARSER_START_TAG, let input = context.pointee.input {
            // An incomplete start tag would be parsed as a whole later: check it now.
            let waiting = UnsafeBufferPointer(
                start: input.pointee.cur, count: input.pointee.end - input.pointee.cur)
            let begin = Int(input.pointee.consumed) + (input.pointee.cur - input.pointee.base)
            if begin != tag.begin || waiting.count < tag.count.size { tag = (begin, TagCount()) }
            tag.count.take(waiting[tag.count.size...])
            if TagGuard.isCrowded(tag.count, limit: options.maximumAttributes) {
                state.pointee.fail(
                    .attributes, "an element has more than \(options.maximumAttributes) attributes")
            }
        }
        if let failure = session.state.pointee.failure { throw failure }
    }

    private func checkRecord() throws(XMLError) {
        let state = session.state
        if state.pointee.isKeeping,
            state.pointee.builder.size(since: state.pointee.records.mark) > options.maximumRecordSize
        {
            state.pointee.fail(.recordSize, "a record is larger than \(options.maximumRecordSize) bytes")
        }
        if let failure = state.pointee.failure { throw failure }
    }

    private func end() throws(XMLError) {
        if plain != nil { try takePlainly(UnsafeBufferPointer(start: nil, count: 0), isLast: true) }
        if plain != nil { return }
        try flush()
        guard let context = session.context else { return }
        LibXML.quietly { _ = xmlParseChunk(context, nil, 0, 1) }
        if let failure = session.state.pointee.failure {
            // The error is caused by the end of the input.
            guard failure.code == .malformed else { throw failure }
            throw XMLError(.truncated, failure.message, line: failure.line, column: failure.column)
        }
        guard context.pointee.wellFormed != 0 || options.isLenient else {
            throw XMLError(.truncated, "the input ends too early", line: Int(session.state.pointee.line))
        }
    }

    /// Returns the complete records as elements of one small tree.
    func takeRecords() -> [XML.Element] {
        let state = session.state
        guard !state.pointee.records.finished.isEmpty else { return [] }
        let roots = state.pointee.records.finished
        state.pointee.records.finished.removeAll(keepingCapacity: true)
        var done = state.pointee.builder.cut(at: state.pointee.isKeeping ? state.pointee.records.mark : nil)
        let tree = TreeStorage(
            taking: &done, info: state.pointee.info.forRecords, problems: [],
            queryOperations: options.maximumQueryOperations)
        if state.pointee.isKeeping {
            state.pointee.records.mark = TreeBuilder.Mark(nodes: 1)
        } else if state.pointee.builder.names.names.count > 4_096 {
            state.pointee.builder.names.forget()
            state.pointee.records.forgetNames()
        }
        return roots.map { XML.Element(tree: tree, index: $0) }
    }
}
