import CLibXML2

/// The push parser beneath ``XML/RecordParser``.
final class RecordCore {
    private let session: ParserSession
    private var decoder: InputDecoder
    private let options: XML.Options
    private var size = 0

    /// libxml2 gets its input in pieces of this size.
    private static let piece = 65_536

    init(_ path: RecordPath, options: XML.Options) {
        self.options = options
        decoder = InputDecoder(charset: options.charset)
        session = ParserSession(
            options: options, root: .batch, expecting: Self.piece, records: RecordMatcher(path))
        LibXML.quietly {
            if let context = xmlCreatePushParserCtxt(nil, nil, nil, 0, nil) { session.adopt(context) }
        }
    }

    func feed(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) throws(XMLError) {
        size += bytes.count
        guard size <= options.maximumSize else {
            throw XMLError(.limit, "the input has more than \(options.maximumSize) bytes", limit: .size)
        }
        if isLast, size == 0 { throw XMLError(.empty, "the input is empty") }
        try decode(bytes, isLast: isLast)
        if isLast { try end() }
    }

    private func decode(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) throws(XMLError) {
        do throws(XMLError) {
            try decoder.decode(bytes, isLast: isLast) { (text) throws(XMLError) in try push(text) }
        } catch {
            // The decoder counts lines from where its piece begins.
            guard error.code == .encoding || error.message == "a NUL character", let line = error.line else {
                throw error
            }
            var error = error
            error.line = line + max(Int(session.state.pointee.line) - 1, 0)
            throw error
        }
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
                try check(context)
            }
        }
    }

    private func check(_ context: xmlParserCtxtPtr) throws(XMLError) {
        if let failure = session.state.pointee.failure { throw failure }
        let state = session.state
        if state.pointee.isKeeping,
            state.pointee.builder.size(since: state.pointee.records.mark) > options.maximumRecordSize
        {
            state.pointee.fail(.recordSize, "a record is larger than \(options.maximumRecordSize) bytes")
        } else if context.pointee.instate == XML_PARSER_START_TAG, let input = context.pointee.input {
            // A start tag that isn't complete waits as a whole, and would be parsed at once.
            let waiting = UnsafeBufferPointer(
                start: input.pointee.cur, count: input.pointee.end - input.pointee.cur)
            if TagGuard.isCrowded(waiting, limit: options.maximumAttributes) {
                state.pointee.fail(
                    .attributes, "an element has more than \(options.maximumAttributes) attributes")
            }
        }
        if let failure = session.state.pointee.failure { throw failure }
    }

    private func end() throws(XMLError) {
        guard let context = session.context else { return }
        LibXML.quietly { _ = xmlParseChunk(context, nil, 0, 1) }
        if let failure = session.state.pointee.failure {
            // Nothing was wrong until the input ended.
            guard failure.code == .malformed else { throw failure }
            throw XMLError(.truncated, failure.message, line: failure.line, column: failure.column)
        }
        guard context.pointee.wellFormed != 0 || options.isLenient else {
            throw XMLError(.truncated, "the input ends too early", line: Int(session.state.pointee.line))
        }
    }

    /// The records that are complete, as elements of one small tree.
    func takeRecords() -> [XML.Element] {
        let state = session.state
        guard !state.pointee.records.finished.isEmpty else { return [] }
        let roots = state.pointee.records.finished
        state.pointee.records.finished.removeAll(keepingCapacity: true)
        var done = state.pointee.builder.cut(at: state.pointee.isKeeping ? state.pointee.records.mark : nil)
        let tree = TreeStorage(
            taking: &done, info: DocumentInfo(), problems: [], queryOperations: options.maximumQueryOperations
        )
        if state.pointee.isKeeping {
            state.pointee.records.mark = TreeBuilder.Mark(nodes: 1)
        } else if state.pointee.builder.names.names.count > 4_096 {
            state.pointee.builder.names.forget()
            state.pointee.records.forgetNames()
        }
        return roots.map { XML.Element(tree: tree, index: $0) }
    }
}
