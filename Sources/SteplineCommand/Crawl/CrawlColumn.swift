import SteplineSteps
import SteplineSupport
import SteplineXML

/// A column of a crawl's rows: the text of the first match in a page.
struct CrawlColumn: Sendable {
    /// The name of the first column.
    static let url = "url"

    let name: String
    private let path: String
    /// The element, if the path is only a name: found without an XPath evaluation, which copies the page.
    private let element: String?

    /// Returns the columns of `--select`; without texts, the title.
    ///
    /// - Throws: `UsageError` for an invalid XPath, or a name that occurs twice.
    static func columns(_ texts: [String]) throws(UsageError) -> [CrawlColumn] {
        var columns: [CrawlColumn] = []
        var names: Set = [url]
        for part in (texts.isEmpty ? ["title"] : texts).flatMap(parts) {
            let column = try CrawlColumn(part)
            guard names.insert(column.name).inserted else {
                throw UsageError("--select: duplicate column '\(column.name)'; name one of them: NAME=XPATH")
            }
            columns.append(column)
        }
        return columns
    }

    /// Creates the column of an element name, an XPath, or a name and an XPath.
    private init(_ text: String) throws(UsageError) {
        var (name, path) = (text, text)
        if let halves = text.halves(at: "="), Self.isName(halves.before) {
            (name, path) = (halves.before, halves.after.withoutOuterBlanks)
        }
        self.name = Self.collapsed(name)
        element = Self.isName(path) ? path.lowercased() : nil
        self.path = Self.isRelative(path) ? "//\(path)" : path
        if let mistake = XPathMistake.find(in: self.path) {
            throw UsageError("--select: '\(path)' is no XPath: \(mistake.reason)")
        }
    }

    /// Returns the text of the first match, without line breaks; nil if nothing matches.
    func value(in page: CrawledPage) throws -> String? {
        let text: String?
        switch element {
        case "title": text = page.html.title
        case let name?: text = page.html.elements.first { $0.name == name }?.text
        case nil: text = try page.html.query(.string(path))
        }
        return text.map(Self.collapsed)
    }

    /// Returns a text with one space for each run of white space, and without any at its ends.
    private static func collapsed(_ text: String) -> String {
        // Most texts are ASCII without such runs, which their bytes show.
        var last = UInt8(ascii: " ")
        let isCollapsed = text.utf8.allSatisfy { byte in
            defer { last = byte }
            return byte > 32 && byte < 127 || byte == 32 && last != 32
        }
        if isCollapsed, last != 32 { return text }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func isName(_ text: String) -> Bool {
        let rest = afterName(text)
        return rest.startIndex > text.startIndex && rest.isEmpty
    }

    /// Whether the path begins with the name of an element or an attribute, which may be anywhere in the page.
    private static func isRelative(_ path: String) -> Bool {
        if path.first == "@" { return true }
        let rest = afterName(path)
        // Names of functions and axes aren't names of elements.
        return rest.startIndex > path.startIndex && !rest.hasPrefix("::")
            && rest.first { !$0.isWhitespace } != "("
    }

    /// Returns the text after the longest name at its beginning; the whole text if it begins with none.
    private static func afterName(_ text: String) -> Substring {
        // Digits and the hyphen, with which no name begins, come before all letters.
        guard let first = text.unicodeScalars.first, isOfName(first), first > "9" else { return text[...] }
        return Substring(text.unicodeScalars.drop(while: isOfName))
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }

    /// Splits at the commas outside parentheses, brackets and quotes; leaves out empty parts.
    private static func parts(_ text: String) -> [String] {
        var parts = [""]
        var depth = 0
        var quote: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "'":
                if quote == nil { quote = scalar } else if quote == scalar { quote = nil }
            case "(", "[": if quote == nil { depth += 1 }
            case ")", "]": if quote == nil { depth -= 1 }
            case "," where quote == nil && depth <= 0:
                parts.append("")
                continue
            default: break
            }
            parts[parts.count - 1].unicodeScalars.append(scalar)
        }
        return parts.map { $0.withoutOuterBlanks }.filter { !$0.isEmpty }
    }
}
