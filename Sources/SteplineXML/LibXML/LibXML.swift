import CLibXML2

/// The global state of libxml2, initialized once.
enum LibXML {
    /// Initializes libxml2 when first read.
    private static let isReady: Void = xmlInitParser()

    /// Runs a closure with libxml2's error output of this thread suppressed.
    ///
    /// libxml2 has error handlers per thread; handlers of other users of the library are restored.
    static func quietly<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        isReady
        let old = stepline_xml_silence({ _, _ in }, nil)
        defer { stepline_xml_restore(old) }
        return try body()
    }

    /// Returns the text of a C string without its final line break.
    static func message(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "unknown error" }
        var message = String(cString: text)
        while let last = message.last, last.isNewline || last == " " { message.removeLast() }
        return message
    }
}
