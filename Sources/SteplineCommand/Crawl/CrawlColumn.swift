import Foundation
import SteplineSteps
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
            (name, path) = (halves.before, halves.after.trimmingCharacters(in: .whitespaces))
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

    private static func collapsed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]*/) != nil
    }

    /// Whether the path begins with the name of an element or an attribute, which may be anywhere in the page.
    private static func isRelative(_ path: String) -> Bool {
        path.prefixMatch(of: /(@|[A-Za-z_][A-Za-z0-9_-]*(?![A-Za-z0-9_-]|\s*\(|::))/) != nil
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
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
