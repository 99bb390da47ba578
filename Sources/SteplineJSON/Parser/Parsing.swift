import Foundation

/// Parses bytes to documents.
enum Parsing {
    /// Parses a padded copy of the bytes in UTF-8.
    ///
    /// If `encoding` is nil, it is detected from the bytes.
    static func document(
        _ bytes: UnsafeRawBufferPointer, as encoding: TextEncoding? = nil, options: JSON.Options
    ) throws(JSONError) -> JSON {
        let limit = min(options.maximumSize, Word.maximumSize - 1)
        guard bytes.count <= limit else {
            throw JSONError(.tooLarge, message: "The JSON text has \(bytes.count) bytes, more than \(limit)")
        }
        let encoding = encoding ?? TextEncoding(detecting: bytes)
        let source = try Source(bytes, encoding: encoding, limit: limit)
        return try parse(source, options: options, place: TextPlace(original: bytes, encoding: encoding))
    }

    /// Parses a line of UTF-8 without byte order mark.
    ///
    /// In errors, the whole text counts as line 1, even if it contains carriage returns.
    static func line(_ bytes: UnsafeRawBufferPointer, options: JSON.Options) throws(JSONError) -> JSON {
        let source = try Source(bytes, encoding: .utf8, limit: Word.maximumSize - 1)
        return try parse(
            source, options: options, place: TextPlace(original: bytes, encoding: .utf8, isLine: true))
    }

    private static func parse(
        _ source: Source, options: JSON.Options, place: TextPlace
    ) throws(JSONError) -> JSON {
        let parser = TapeParser(
            base: source.start, count: source.count, maximumDepth: max(0, options.maximumDepth),
            refusesDuplicates: !options.allowsDuplicateKeys)
        guard var parser else {
            free(source.start)
            throw JSONError(.outOfMemory, message: JSONError.Code.outOfMemory.message)
        }
        if let failure = parser.run() ?? fragment(parser.words, options) {
            defer { free(source.start) }
            parser.discard()
            throw place.error(failure, in: source)
        }
        let count = parser.used
        return document(source, parser.takeWords(), count)
    }

    private static func document(
        _ source: Source, _ words: UnsafeMutablePointer<UInt64>, _ count: Int
    ) -> JSON {
        let tape = Tape(source: source.start, sourceCount: source.count, words: words, count: count)
        return JSON(tape: tape, index: 0)
    }

    private static func fragment(
        _ words: UnsafeMutablePointer<UInt64>, _ options: JSON.Options
    ) -> TapeParser.Failure? {
        let top = Word(raw: words[0])
        guard !options.allowsFragments, !top.isContainer else { return nil }
        return TapeParser.Failure(code: .fragment, offset: top.isText ? top.lower - 1 : top.lower)
    }
}
