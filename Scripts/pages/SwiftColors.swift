/// Marks what is a keyword, a comment, a text or a number in Swift, for the stylesheet.
enum SwiftColors {
    private static let keywords: Set<Substring> = [
        "actor", "any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class",
        "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "false", "final", "for", "func", "guard", "if",
        "import",
        "in", "init", "inout", "is", "let", "nil", "nonisolated", "override", "private", "protocol", "public",
        "repeat",
        "return", "self", "Self", "some", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true",
        "try", "typealias", "unsafe", "var", "where", "while",
    ]

    static func html(_ code: String) -> String {
        var html = "", rest = Substring(code)
        while let first = rest.first {
            let length: Int, tag: String?
            if rest.hasPrefix("//") {
                (length, tag) = (rest.prefix { $0 != "\n" }.count, "em")
            } else if first == "\"" || first == "#" && rest.dropFirst().first == "\"" {
                (length, tag) = (textLength(of: rest), "i")
            } else if first.isLetter || first == "_" || first == "@" {
                let word =
                    rest.prefix(1) + rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                (length, tag) = (word.count, keywords.contains(word) || first == "@" ? "b" : nil)
            } else if first.isNumber {
                (length, tag) = (rest.prefix { $0.isNumber || $0 == "_" }.count, "i")
            } else {
                (length, tag) = (1, nil)
            }
            let piece = String(rest.prefix(length)).escaped
            html += tag.map { "<\($0)>\(piece)</\($0)>" } ?? piece
            rest = rest.dropFirst(length)
        }
        return html
    }

    /// The length of the text that begins here, of one line or of several.
    private static func textLength(of code: Substring) -> Int {
        let hashes = code.prefix { $0 == "#" }
        let quotes = code.dropFirst(hashes.count).hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        let end = quotes + hashes
        var length = hashes.count + quotes.count
        var rest = code.dropFirst(length)
        var depth = 0
        while let first = rest.first {
            if depth == 0, rest.hasPrefix(end) { return length + end.count }
            var step = 1
            if rest.hasPrefix("\\\(hashes)(") {
                (depth, step) = (depth + 1, 2 + hashes.count)
            } else if depth > 0, "()".contains(first) {
                depth += first == "(" ? 1 : -1
            } else if first == "\\" {
                step = 2
            }
            (rest, length) = (rest.dropFirst(step), length + step)
        }
        return code.count
    }

    /// A name that may be broken where a narrow screen needs it.
    static func breakable(_ name: String) -> String {
        name.escaped.map { ":._(".contains($0) ? "\($0)<wbr>" : String($0) }.joined()
    }
}
