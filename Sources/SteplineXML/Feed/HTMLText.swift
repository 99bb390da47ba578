import Foundation

/// Converts HTML fragments to text and resolves their links.
enum HTMLText {
    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "figure",
        "footer",
        "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre",
        "section",
        "table", "tr", "ul",
    ]

    private static let inline: Set<String> = [
        "a", "abbr", "acronym", "audio", "b", "bdi", "bdo", "big", "body", "caption", "center", "cite",
        "code", "col",
        "del", "dfn", "em", "embed", "fieldset", "font", "head", "html", "i", "iframe", "img", "input", "ins",
        "kbd",
        "label", "map", "mark", "math", "meta", "object", "picture", "q", "s", "samp", "script", "small",
        "source",
        "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "tbody", "td", "tfoot", "th",
        "thead",
        "time", "title", "tt", "u", "var", "video", "wbr",
    ]

    /// Returns whether a text is HTML: it contains a known tag or a reference.
    static func isHTML(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
            return false
        }
        var scanner = HTMLScanner(text)
        while let token = scanner.next() {
            switch token {
            case .tag(let name, _, let range):
                if scanner.bytes[range.upperBound - 1] == UInt8(ascii: ">"), isKnown(name) { return true }
            case .nothing: return true
            case .text(let range):
                let part = scanner.bytes[range]
                if part.contains(UInt8(ascii: "&")),
                    HTMLCharacter.decoded(part) != String(decoding: part, as: UTF8.self)
                {
                    return true
                }
            }
        }
        return false
    }

    private static func isKnown(_ name: String) -> Bool { blocks.contains(name) || inline.contains(name) }

    /// Returns the text of the rendered page: blocks on their own lines, white space collapsed.
    static func plain(_ html: String) -> String {
        var scanner = HTMLScanner(html)
        var lines = PlainLines()
        while let token = scanner.next() {
            switch token {
            case .text(let range): lines.add(HTMLCharacter.decoded(scanner.bytes[range]))
            case .tag(let name, let isEnd, let range):
                if name == "pre" { lines.isPreformatted = !isEnd }
                if blocks.contains(name) {
                    lines.end()
                } else if !isKnown(name) {
                    // An unknown tag is a text in angle brackets.
                    lines.add(String(decoding: scanner.bytes[range], as: UTF8.self))
                } else if name == "td" || name == "th" {
                    lines.add(" ")
                }
            case .nothing: break
            }
        }
        return lines.text
    }

    /// Escapes a text for HTML, or for a quoted attribute.
    static func escaped(_ text: String, quoted: Bool = false) -> String {
        guard text.utf8.contains(where: { "&<>\"".utf8.contains($0) }) else { return text }
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\"") where quoted: output.append(contentsOf: "&quot;".utf8)
            default: output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the HTML with absolute links.
    static func resolved(_ html: String, relativeTo base: URL) -> String {
        var scanner = HTMLScanner(html)
        var output: [UInt8] = []
        var copied = 0
        while let token = scanner.next() {
            guard case .tag(_, false, let range) = token else { continue }
            for value in HTMLLinks.values(in: scanner.bytes, range) {
                guard let absolute = HTMLLinks.absolute(scanner.bytes[value], base) else { continue }
                output.append(contentsOf: scanner.bytes[copied..<value.lowerBound])
                output.append(contentsOf: absolute.utf8)
                copied = value.upperBound
            }
        }
        guard copied > 0 else { return html }
        output.append(contentsOf: scanner.bytes[copied...])
        return String(decoding: output, as: UTF8.self)
    }
}

/// Builds lines of text.
private struct PlainLines {
    var isPreformatted = false
    private var lines: [String] = []
    private var line = ""

    mutating func add(_ text: String) {
        if isPreformatted {
            line += text
            return
        }
        for character in text.unicodeScalars {
            if character == " " || ("\t"..."\r").contains(character) {
                if !line.isEmpty, line.last != " " { line += " " }
            } else {
                line.unicodeScalars.append(character)
            }
        }
    }

    mutating func end() {
        let done = ScalarText.trimmed(line)
        if !done.isEmpty { lines.append(done) }
        line = ""
    }

    var text: String {
        var copy = self
        copy.end()
        return copy.lines.joined(separator: "\n")
    }
}
