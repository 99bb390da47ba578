public import Foundation

extension Feed {
    /// Parses a feed; links are relative to `base` and to `xml:base`.
    ///
    /// Always repairs HTML's named characters, blanks before the declaration and unbound prefixes; other errors only
    /// with lenient options. ``mended`` lists the repairs.
    ///
    /// - Throws: An ``XMLError``, with the code ``XMLError/Code/noFeed`` for another kind of document.
    public init(data: Data, base: URL? = nil, options: XML.Options = .init()) throws(XMLError) {
        let (document, mended) = try FeedSource.document(data, options: options)
        try self.init(document, base: base)
        self.mended = mended + self.mended
    }

    /// Creates a feed from a document.
    ///
    /// - Throws: An ``XMLError`` with the code ``XMLError/Code/noFeed`` if the document is no feed.
    public init(_ document: XML.Document, base: URL? = nil) throws(XMLError) {
        self = try FeedReader.feed(document, base: base)
    }
}
