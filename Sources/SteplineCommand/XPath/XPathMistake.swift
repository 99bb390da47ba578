import SteplineXML

/// What is wrong with an XPath, in plain words: libxml2 often has a place only.
struct XPathMistake {
    let reason: String
    let isNamespace: Bool
    /// How many bytes of the expression are before it.
    let offset: Int
    /// The column in scalars, counted from 1.
    let column: Int

    /// The first mistake of an expression; nil if it can be evaluated.
    static func find(in expression: String, namespaces: [String: String] = [:]) -> XPathMistake? {
        do throws(XMLError) {
            try XML.Query<[String]>.strings(expression).check(namespaces: namespaces)
        } catch {
            return XPathMistake(expression, error)
        }
        // libxml2 takes some that end too early, and is sorry for it later.
        guard let finding = XPathGrammar.finding(in: expression),
            finding.place == expression.unicodeScalars.count
        else { return nil }
        return XPathMistake(expression, finding)
    }

    private init(_ expression: String, _ error: XMLError) {
        // The findings with words of their own are more than a matter of grammar.
        let isKnown = error.code != .query || error.message.contains("there is no function")
        if !isKnown, let finding = XPathGrammar.finding(in: expression) {
            self.init(expression, finding)
        } else {
            let offset = min(max((error.column ?? 1) - 1, 0), expression.utf8.count)
            self.init(
                reason: error.message, isNamespace: error.code == .namespace, offset: offset,
                // Bytes that continue a character are not counted.
                column: expression.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1)
        }
    }

    private init(_ expression: String, _ finding: XPathGrammar.Finding) {
        let before = expression.unicodeScalars.prefix(finding.place)
        self.init(
            reason: finding.text, isNamespace: false, offset: before.reduce(0) { $0 + UTF8.width($1) },
            column: finding.place + 1)
    }

    private init(reason: String, isNamespace: Bool, offset: Int, column: Int) {
        self.reason = reason
        self.isNamespace = isNamespace
        self.offset = offset
        self.column = column
    }
}
