public import Foundation

extension Feed {
    /// Parses and reads a feed; links are taken relative to `base` and to `xml:base`.
    ///
    /// HTML's named characters, blanks before the declaration and prefixes that aren't bound are mended always, what
    /// is malformed only if the options are lenient; ``mended`` lists it. Throws an ``XMLError``, with the code
    /// ``XMLError/Code/noFeed`` for a document that is something else, and what that is.
    public init(data: Data, base: URL? = nil, options: XML.Options = .init()) throws(XMLError) {
        let (document, mended) = try FeedSource.document(data, options: options)
        try self.init(document, base: base)
        self.mended = mended + self.mended
    }

    /// Reads a feed from a document.
    public init(_ document: XML.Document, base: URL? = nil) throws(XMLError) {
        self = try FeedReader.feed(document, base: base)
    }
}
