public import Foundation

extension XML.Document {
    /// Reads an HTML page, mending what is missing: unclosed tags, a missing `body`, attributes without quotes.
    ///
    /// Names come out in lower case and in no namespace. Faults are listed in ``problems`` and are never errors; only
    /// limits and an empty input are. The charset is that of a byte order mark, of the options or of `meta`, the
    /// first of them that is known, or else a guess: UTF-8 or windows-1252. Bytes that fit nowhere become U+FFFD.
    public init(html data: Data, options: XML.Options = .init()) throws(XMLError) {
        self.init(
            try data.withBytes { (bytes) throws(XMLError) in try HTMLParser.parse(bytes, options: options) })
    }

    /// Reads an HTML page from text; a charset that it declares is ignored.
    public init(html: String, options: XML.Options = .init()) throws(XMLError) {
        var options = options
        options.charset = "UTF-8"
        try self.init(html: Data(html.utf8), options: options)
    }
}
