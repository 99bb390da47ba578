import CLibXML2

/// libxml2's global state: set up once, and silent.
enum LibXML {
    /// Reading it runs the set-up, once for the process.
    private static let isReady: Void = xmlInitParser()

    /// Runs `body` while nothing that libxml2 reports on this thread goes anywhere but to the parser's own hooks.
    ///
    /// libxml2 keeps these hooks per thread; those of other users of the library are put back.
    static func quietly<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        isReady
        let old = stepline_xml_silence({ _, _ in }, nil)
        defer { stepline_xml_restore(old) }
        return try body()
    }

    /// The text of a C string from libxml2, without the line break that its messages end with.
    static func message(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "unknown error" }
        var message = String(cString: text)
        while let last = message.last, last.isNewline || last == " " { message.removeLast() }
        return message
    }
}
