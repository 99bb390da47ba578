import SteplineXML

/// The first error in an XPath, as reported by SteplineXML.
struct XPathMistake {
    let reason: String
    let isNamespace: Bool
    /// The number of UTF-8 bytes before the error.
    let offset: Int
    /// The column in Unicode scalars, counted from 1.
    let column: Int

    /// Checks an expression; returns nil if it can be evaluated.
    static func find(in expression: String, namespaces: [String: String] = [:]) -> XPathMistake? {
        do throws(XMLError) {
            try XML.Query<[String]>.strings(expression).check(namespaces: namespaces)
            return nil
        } catch {
            return XPathMistake(expression, error)
        }
    }

    private init(_ expression: String, _ error: XMLError) {
        reason = error.message
        isNamespace = error.code == .namespace
        offset = min(max((error.column ?? 1) - 1, 0), expression.utf8.count)
        // Skip continuation bytes of UTF-8.
        column = expression.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1
    }
}
