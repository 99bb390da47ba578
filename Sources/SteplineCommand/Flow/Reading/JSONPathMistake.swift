import SteplineSupport

/// What is wrong with a JSONPath, in words for somebody who has written a workflow file, and the mend.
struct JSONPathMistake {
    let message: String
    let hint: String?

    /// - Parameters:
    ///   - offset: Where the parser stopped, in bytes.
    ///   - reason: What the parser says.
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

    /// As a part of a sentence.
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
