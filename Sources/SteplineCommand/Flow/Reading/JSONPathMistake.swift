import SteplineSupport

/// A JSONPath error in the terms of a workflow file, with a correction.
struct JSONPathMistake {
    let message: String
    let hint: String?

    /// Creates the error.
    ///
    /// - Parameters:
    ///   - path: The JSONPath.
    ///   - offset: The byte offset at which the parser stopped.
    ///   - reason: The parser's message.
    init(in path: String, at offset: Int, _ reason: String) {
        let bytes = Array(path.utf8)
        let rest = String(decoding: bytes[min(offset, bytes.count)...], as: UTF8.self)
        let before = String(decoding: bytes[..<min(offset, bytes.count)], as: UTF8.self)
        message =
            rest.isEmpty
            ? "the JSONPath ends too early: \(Self.plain(reason))"
            : "malformed JSONPath: \(Self.plain(reason))"
        hint = Self.hint(before, rest)
    }

    /// Returns the reason as part of a sentence.
    private static func plain(_ reason: String) -> String {
        (reason.prefix(1).lowercased() + reason.dropFirst()).rewriting(" in a JSONPath", as: "")
    }

    private static func hint(_ before: String, _ rest: String) -> String? {
        let word = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
        let name = before.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed()
        switch rest.first {
        case nil:
            if before.hasSuffix("[") { return "write [0], ['name'] or [*]" }
            if before.hasSuffix(".") { return "leave out the dot" }
            return openBracket(in: before) ? "close the bracket: ]" : nil
        case "=": return before.contains("?") ? "to compare, write ==" : nil
        case "[" where before.hasSuffix("."): return "leave out the dot before ["
        case "-" where !name.isEmpty: return "write ['\(String(name) + word)']"
        case _ where before == "$" && !word.isEmpty: return "write $.\(word)"
        case let first? where before.hasSuffix("[") && (first.isLetter || first == "_"):
            return "write ['\(word)'], or a filter: [?@.\(word) == 1]"
        case let first? where before.hasSuffix(".") && first.isNumber:
            return "write ['\(word)'], or [\(word)] in a list"
        case " ": return "write ['…'] around a name with blanks"
        case "0" where rest.dropFirst().first?.isNumber == true: return "leave out the 0"
        default: return nil
        }
    }

    private static func openBracket(in text: String) -> Bool {
        text.count { $0 == "[" } > text.count { $0 == "]" }
    }
}
