/// Follows an XPath as far as it is one, so as to say what is expected where it isn't any more.
struct XPathGrammar {
    /// Where it went wrong, in scalars, and what would be right.
    struct Finding {
        let place: Int
        let text: String
    }

    /// What may come next.
    private enum Turn {
        /// Something that has a value: a path, a text, a number, a call.
        case value
        /// What follows a slash; after one that stands for the root alone, nothing need.
        case step(isNeeded: Bool)
        /// The name or the like behind `@` or an axis.
        case test
        /// The name of a variable.
        case variable
        /// The first argument of a call, or its end.
        case arguments
        /// Something that goes on with a value, or ends it.
        case rest
    }

    private var turn = Turn.value
    private var open: [XPathToken] = []
    private var last: XPathToken?
    /// Whether the last token is a name that a call may begin with.
    private var isCallable = false

    private static let opposites = [")": "(", "]": "["]
    private static let operators: Set = ["|", "+", "-", "=", "!=", "<", "<=", ">", ">=", "*"]
    private static let axes: Set = [
        "ancestor", "ancestor-or-self", "attribute", "child", "descendant", "descendant-or-self", "following",
        "following-sibling", "namespace", "parent", "preceding", "preceding-sibling", "self",
    ]
    private static let wordOperators: Set = ["and", "or", "div", "mod"]

    /// The first thing that is wrong; nil if nothing is, as far as this can tell.
    static func finding(in expression: String) -> Finding? {
        var grammar = XPathGrammar()
        let tokens = XPathToken.all(of: expression)
        for (number, token) in tokens.enumerated() {
            let next = number + 1 < tokens.count ? tokens[number + 1].text : ""
            if let text = grammar.take(token, next: next) { return Finding(place: token.place, text: text) }
            grammar.last = token
        }
        return grammar.end().map { Finding(place: expression.unicodeScalars.count, text: $0) }
    }

    /// Takes a token; what is said is what is wrong with it.
    private mutating func take(_ token: XPathToken, next: String) -> String? {
        defer { isCallable = token.kind == .name && last?.text != "$" }
        if token.isUnclosedText { return "the text that begins here isn't closed" }
        switch turn {
        case .rest: return goOn(token)
        case .arguments where token.text == ")": return close(token)
        case .variable where token.kind == .name, .test where token.text == "*": turn = .rest
        case .variable: return expected(token)
        case .step(isNeeded: false) where !Self.startsStep(token): return goOn(token)
        default: return begin(token, next)
        }
        return nil
    }

    private static func startsStep(_ token: XPathToken) -> Bool {
        token.kind == .name || ["*", "@", ".", ".."].contains(token.text)
    }

    /// A value, or a step of a path.
    private mutating func begin(_ token: XPathToken, _ next: String) -> String? {
        var isValue = false
        if case .value = turn { isValue = true }
        if case .arguments = turn { isValue = true }
        var isTest = false
        if case .test = turn { isTest = true }
        switch (token.kind, token.text) {
        case (.name, let name) where next == "::" && !isTest:
            guard Self.axes.contains(name) else { return "there is no axis '\(name)'" }
            turn = .test
        case (.name, _), (.sign, "*"): turn = .rest
        case (.sign, "::") where last?.kind == .name: turn = .test
        case (.text, _) where isValue, (.number, _) where isValue: turn = .rest
        case (.sign, ".") where !isTest, (.sign, "..") where !isTest: turn = .rest
        case (.sign, "@") where !isTest: turn = .test
        case (.sign, "/") where isValue: turn = .step(isNeeded: false)
        case (.sign, "//") where isValue: turn = .step(isNeeded: true)
        case (.sign, "-") where isValue && last?.text != "|": turn = .value
        case (.sign, "$") where isValue: turn = .variable
        case (.sign, "(") where isValue:
            open.append(token)
            turn = .value
        default: return expected(token)
        }
        return nil
    }

    /// What comes behind a value.
    private mutating func goOn(_ token: XPathToken) -> String? {
        switch (token.kind, token.text) {
        case (.sign, "/"), (.sign, "//"): turn = .step(isNeeded: true)
        case (.sign, "[") where last?.text == ".": return "a condition can't follow '.', but self::node()"
        case (.sign, "[") where last?.text == "..": return "a condition can't follow '..', but parent::node()"
        case (.sign, "["):
            open.append(token)
            turn = .value
        case (.sign, "(") where isCallable:
            open.append(token)
            turn = .arguments
        case (.sign, ",") where open.last?.text == "(": turn = .value
        case (.sign, let sign) where Self.operators.contains(sign): turn = .value
        case (.name, let word) where Self.wordOperators.contains(word): turn = .value
        case (.sign, ")"), (.sign, "]"): return close(token)
        default: return expected(token)
        }
        return nil
    }

    private mutating func close(_ token: XPathToken) -> String? {
        guard let opening = open.popLast() else {
            return "there is no '\(Self.opposites[token.text] ?? "")' before '\(token.text)'"
        }
        if opening.text == Self.opposites[token.text] {
            turn = .rest
            return nil
        }
        return "'\(opening.text == "(" ? ")" : "]")' is expected before '\(token.text)'"
    }

    // MARK: What to say

    private func expected(_ token: XPathToken) -> String { "\(wanted), not '\(token.text)'" }

    private func end() -> String? {
        switch turn {
        case .rest, .step(isNeeded: false):
            guard let opening = open.last else { return nil }
            return "the '\(opening.text)' of column \(opening.place + 1) isn't closed"
        default: return "\(wanted), not the end"
        }
    }

    private var wanted: String {
        let behind = last.map { " after '\($0.text)'" } ?? ""
        switch turn {
        case .value where last?.text == "[": return "a condition or a number is expected after '['"
        case .value: return "a path or a value is expected\(behind)"
        case .arguments: return "an argument or ')' is expected\(behind)"
        case .step: return "a name, * or @ is expected\(behind)"
        case .test: return "a name or * is expected\(behind)"
        case .variable: return "the name of a variable is expected\(behind)"
        case .rest: return "an operator, / or [ is expected\(behind)"
        }
    }
}
