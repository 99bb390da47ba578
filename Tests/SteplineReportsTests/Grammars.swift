import Foundation

/// Reads the part of Graphviz's language that is written: statements of identifiers, arrows, attribute lists.
enum DOTGrammar {
    /// The first mistake in a text; nil if there is none.
    static func problem(in text: String) -> String? {
        guard let tokens = tokens(of: text) else { return "a token is broken" }
        guard tokens.prefix(3) == ["digraph", "workflow", "{"], tokens.last == "}" else { return "no graph" }
        var depth = 0
        var lists = 0
        for (token, next) in zip(tokens, tokens.dropFirst() + [""]) {
            switch token {
            case "{": depth += 1
            case "}": depth -= 1
            case "[": lists += 1
            case "]": lists -= 1
            case "->" where !isIdentifier(next): return "an arrow to \(next)"
            case "=" where !isIdentifier(next) && !next.hasPrefix("\""): return "a value \(next)"
            default: break
            }
            if depth < 0 || lists < 0 || lists > 1 { return "brackets at \(token)" }
        }
        return depth == 0 && lists == 0 ? nil : "unbalanced"
    }

    private static func isIdentifier(_ token: String) -> Bool {
        !token.isEmpty
            && token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
    }

    private static func tokens(of text: String) -> [String]? {
        var tokens: [String] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if first == "\"" {
                guard let end = endOfString(rest) else { return nil }
                tokens.append(String(rest[..<end]))
                rest = rest[end...]
            } else if rest.hasPrefix("->") {
                tokens.append("->")
                rest.removeFirst(2)
            } else if "{}[]=;,".contains(first) {
                tokens.append(String(first))
                rest.removeFirst()
            } else {
                let word = rest.prefix {
                    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".")
                }
                guard !word.isEmpty else { return nil }
                tokens.append(String(word))
                rest.removeFirst(word.count)
            }
        }
        return tokens
    }

    private static func endOfString(_ text: Substring) -> Substring.Index? {
        var place = text.index(after: text.startIndex)
        while place < text.endIndex {
            switch text[place] {
            case "\\":
                place = text.index(after: place)
                guard place < text.endIndex else { return nil }
            case "\"": return text.index(after: place)
            case "\n", "\r\n": return nil
            default: break
            }
            place = text.index(after: place)
        }
        return nil
    }
}

/// Reads the part of Mermaid's flowcharts that is written, line by line.
enum MermaidGrammar {
    /// The first mistake in a text; nil if there is none.
    static func problem(in text: String) -> String? {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        guard lines.first == "flowchart LR" else { return "no flowchart" }
        let label = "\"[^\"\\[\\]{}()|<>`;%]*(<br/>[^\"\\[\\]{}()|<>`;%]*)?\""
        let text = label.replacingOccurrences(of: ";", with: "")
        let kinds = [
            "%% .*",
            "classDef [a-z]+ [a-z0-9#:,\\- ]+",
            "subgraph t[0-9_]+[a-z0-9_]*\\[\(text)\\]", "end",
            "t[0-9_]+(\\[|\\[\\\\|\\(|\\(\\[|\\[\\[|\\{\\{|\\[/)\(text)(\\]|\\\\\\]|\\)|\\]\\)|\\]\\]|\\}\\}|/\\]):::[a-z]+",
            "t[0-9_]+ (-->|-\\.->)(\\|\(text)\\|)? t[0-9_]+",
        ]
        var depth = 0
        for line in lines.dropFirst() {
            guard kinds.contains(where: { line.range(of: "^(\($0))$", options: .regularExpression) != nil })
            else { return line }
            if line.hasPrefix("subgraph ") { depth += 1 }
            if line == "end" { depth -= 1 }
            if depth < 0 { return "an end too many" }
        }
        return depth == 0 ? nil : "unbalanced"
    }
}
