import SteplineJSON

/// The part of a parsed body to output.
enum Selection: Sendable {
    case jsonPath(String)
    case xPath(String)

    /// Parses a path: a JSONPath if it begins with `$`, otherwise an XPath.
    init(_ text: String) throws(UsageError) {
        if text.hasPrefix("$") {
            do {
                _ = try JSONPath(text)
            } catch {
                throw UsageError(
                    "--select: '\(text)' is no JSONPath: \(error.message), column \(error.column)")
            }
            self = .jsonPath(text)
        } else {
            if let mistake = XPathMistake.find(in: text) {
                throw UsageError(
                    "--select: '\(text)' is no XPath: \(mistake.reason), column \(mistake.column)")
            }
            self = .xPath(text)
        }
    }

    var isXPath: Bool {
        if case .xPath = self { true } else { false }
    }
}
