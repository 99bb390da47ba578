public import Foundation

extension XML.Document {
    /// Parses an HTML page, repairing unclosed tags, a missing `body` and unquoted attributes.
    ///
    /// Names are in lower case and without a namespace. Errors in the page are listed in ``problems`` and never thrown.
    /// The charset is the first known one of byte order mark, options and `meta`; otherwise UTF-8 or windows-1252 by
    /// detection. Invalid bytes become U+FFFD.
    ///
    /// - Throws: An ``XMLError`` for an exceeded limit or empty input.
    public init(html data: Data, options: XML.Options = .init()) throws(XMLError) {
        self.init(
            try data.withBytes { (bytes) throws(XMLError) in try HTMLParser.parse(bytes, options: options) })
    }

    /// Parses an HTML page from text; ignores a declared charset.
    ///
    /// - Throws: An ``XMLError`` for an exceeded limit or empty input.
    public init(html: String, options: XML.Options = .init()) throws(XMLError) {
        var options = options
        options.charset = "UTF-8"
        try self.init(html: Data(html.utf8), options: options)
    }
}
