import CLibXML2

/// Parses a whole document: first with the fast `PlainParser`, otherwise with libxml2.
enum DocumentParser {
    static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, options: XML.Options
    ) throws(XMLError) -> TreeStorage {
        try checkSize(bytes.count, options)
        let sniffed = try EncodingSniffer(bytes, charset: options.charset)
        let content = UnsafeBufferPointer(rebasing: bytes.dropFirst(sniffed.markLength))
        if sniffed.isUTF8 {
            try InputDecoder.refuse(UTF8Check(content), in: content, encoding: sniffed.name)
            return try parseUTF8(content, options: options, encoding: sniffed.name)
        }
        var converted: [UInt8] = []
        converted.reserveCapacity(content.count + content.count / 4)
        try Converter(sniffed.name).convert(content, isLast: true) { (piece) throws(XMLError) in
            converted.append(contentsOf: piece)
        }
        return try converted.withUnsafeBufferPointer { (bytes) throws(XMLError) in
            try checkSize(bytes.count, options)
            try InputDecoder.refuse(UTF8Check(bytes), in: bytes, encoding: sniffed.name)
            return try parseUTF8(bytes, options: options, encoding: sniffed.name)
        }
    }

    static func checkSize(_ count: Int, _ options: XML.Options) throws(XMLError) {
        guard count > 0 else { throw XMLError(.empty, "the input is empty") }
        // libxml2 uses 32-bit sizes.
        let limit = min(options.maximumSize, Int(Int32.max) - 1)
        guard count <= limit else {
            throw XMLError(.limit, "the input has \(count) bytes, more than \(limit)", limit: .size)
        }
    }

    private static func parseUTF8(
        _ bytes: UnsafeBufferPointer<UInt8>, options: XML.Options, encoding: String
    ) throws(XMLError) -> TreeStorage {
        if let tree = try LibXML.quietly({ () throws(XMLError) in
            try plainTree(bytes, options: options, encoding: encoding)
        }) {
            return tree
        }
        if let offset = TagGuard.crowdedTag(in: bytes, limit: options.maximumAttributes) {
            let line = bytes[..<offset].reduce(1) { $0 + ($1 == 10 ? 1 : 0) }
            throw XMLError(
                .limit, "an element has more than \(options.maximumAttributes) attributes", line: line,
                limit: .attributes)
        }
        return try LibXML.quietly { () throws(XMLError) in
            let session = ParserSession(options: options, root: .document, expecting: bytes.count)
            session.state.pointee.info.encoding = encoding
            guard let start = bytes.baseAddress,
                let context = start.withMemoryRebound(
                    to: CChar.self, capacity: bytes.count,
                    { xmlCreateMemoryParserCtxt($0, Int32(bytes.count)) })
            else { throw XMLError(.empty, "the input is empty") }
            session.adopt(context)
            xmlParseDocument(context)
            let tree = try session.finish()
            guard tree.element(from: 1, before: tree.nodeCount) != nil else {
                throw tree.problems.first ?? XMLError(.empty, "the document has no element")
            }
            return tree
        }
    }

    /// Returns the tree of a plain document; nil if it may contain anything else.
    private static func plainTree(
        _ bytes: UnsafeBufferPointer<UInt8>, options: XML.Options, encoding: String
    ) throws(XMLError) -> TreeStorage? {
        let session = ParserSession(options: options, root: .document, expecting: bytes.count)
        session.state.pointee.info.encoding = encoding
        guard let start = bytes.baseAddress, var parser = PlainParser(session.state) else { return nil }
        defer { parser.destroy() }
        parser.cursor = start
        parser.end = start + bytes.count
        guard parser.parse() == .hungry, parser.isComplete else { return nil }
        return try session.finish()
    }
}
