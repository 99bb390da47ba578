import SteplineJSON
import SteplineSupport

/// The members of an object by key.
struct FlowFields {
    let offset: Int
    let members: [FlowMember]
    /// The keys that the object can have.
    let keys: FlowKeys
    /// The keys that unknown ones were likely meant to be.
    var meant: Set<String> = []

    subscript(key: String) -> FlowNode? { members.last { $0.key == key }?.value }

    /// Returns whether a key is missing, without a misspelt variant that was reported.
    func lacks(_ key: String) -> Bool { self[key] == nil && !meant.contains(key) }
}

extension FlowReader {
    /// Returns the members of an object; reports unknown keys, and keys that need a key which is missing.
    mutating func fields(_ node: FlowNode, _ what: String, _ keys: FlowKeys) -> FlowFields? {
        guard case .object(let members) = node.value else {
            wrong(node, "\(what) is an object")
            return nil
        }
        var fields = FlowFields(offset: node.offset, members: members, keys: keys)
        for member in members where keys[member.key] == nil { tellUnknown(member, in: what, &fields) }
        for member in members {
            guard let needed = keys.needs[member.key], fields.lacks(needed) else { continue }
            issues.add(
                .wrongValue, at: member.offset, "\"\(member.key)\" has no meaning without \(needed)")
        }
        return fields
    }

    /// Reports an unknown key with a suggestion.
    mutating func tellUnknown(
        _ member: FlowMember, in what: String, _ fields: inout FlowFields, hint: String? = nil
    ) {
        let known = fields.keys.names
        if let key = fields.keys.all.first(where: { $0.formerName == member.key }) {
            issues.add(
                .unknownKey, at: member.offset, "\"\(member.key)\" in \(what) is now \"\(key.name)\"",
                hint: "write \(key.replacement ?? "\(key.name): …")")
            fields.meant.insert(key.name)
            return
        }
        issues.add(
            .unknownKey, at: member.offset, "unknown key \"\(member.key)\" in \(what)",
            hint: hint ?? Guess.hint(for: member.key, among: known))
        if let guess = Guess.nearest(to: member.key, among: known) { fields.meant.insert(guess) }
    }

    /// Returns the members of an object whose keys are names.
    mutating func members(_ node: FlowNode, _ what: String) -> [FlowMember] {
        guard case .object(let members) = node.value else {
            wrong(node, "\(what) is an object")
            return []
        }
        for member in members where member.key.isEmpty {
            issues.add(.wrongValue, at: member.offset, "an empty name in \(what)")
        }
        return members
    }

    mutating func list(_ node: FlowNode, _ what: String) -> [FlowNode]? {
        guard case .list(let nodes) = node.value else {
            wrong(node, "\(what) is a list")
            return nil
        }
        return nodes
    }

    mutating func text(_ node: FlowNode, _ what: String) -> FlowText? {
        if node.text == nil { wrong(node, "\(what) is a string") }
        return node.text
    }

    mutating func truth(_ key: String, of fields: FlowFields) -> Bool? {
        guard let node = fields[key] else { return nil }
        guard case .bool(let truth) = node.value else {
            let isWord = ["yes", "no", "on", "off"].contains(node.text?.string.lowercased())
            wrong(node, "\(key) is true or false", hint: isWord ? "write true or false" : nil)
            return nil
        }
        return truth
    }

    /// Returns the integer of a key, within the range in the table of keys.
    mutating func integer(_ key: String, of fields: FlowFields) -> Int? {
        guard let node = fields[key], case .integer(let range)? = fields.keys[key]?.type else { return nil }
        return integer(node, key, range)
    }

    mutating func integer(_ node: FlowNode, _ what: String, _ range: ClosedRange<Int>) -> Int? {
        guard case .number(let literal) = node.value else {
            wrong(node, "\(what) is a whole number")
            return nil
        }
        guard let number = node.json.int else {
            let shown = literal.count > 20 ? literal.prefix(20) + "…" : literal[...]
            issues.add(.wrongType, at: node.offset, "\(what) is a whole number, not \(shown)")
            return nil
        }
        guard range.contains(number) else {
            issues.add(
                .wrongValue, at: node.offset, "\(what) is from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// Returns the number of a key, within the range in the table of keys.
    mutating func number(_ key: String, of fields: FlowFields) -> Double? {
        guard let node = fields[key], case .number(let range)? = fields.keys[key]?.type else { return nil }
        guard case .number = node.value, let number = node.json.double else {
            wrong(node, "\(key) is a number")
            return nil
        }
        guard range?.contains(number) ?? number.isFinite else {
            let expected = range.map { "from \($0.lowerBound) to \($0.upperBound)" } ?? "finite"
            issues.add(.wrongValue, at: node.offset, "\(key) is \(expected)")
            return nil
        }
        return number
    }

    /// Returns the case of a key that takes one of some words.
    mutating func word<Word: RawRepresentable<String>>(_ key: String, of fields: FlowFields) -> Word? {
        choice(key, of: fields).flatMap { Word(rawValue: $0) }
    }

    /// Returns the word of a key, one of those in the table of keys.
    mutating func choice(_ key: String, of fields: FlowFields) -> String? {
        guard let node = fields[key], case .choice(let known)? = fields.keys[key]?.type,
            let text = text(node, key)
        else { return nil }
        if known.contains(text.string) { return text.string }
        let list = known.map { "\"\($0)\"" }.joined(separator: ", ")
        issues.add(
            .wrongValue, at: node.offset, "\(key) is one of \(list), not \"\(text.string)\"",
            hint: Guess.hint(for: text.string, among: known))
        return nil
    }

    /// Parses a duration: `"500ms"`, `"30s"`, `"10m"`, `"2h"`, or a number of seconds.
    mutating func duration(_ node: FlowNode, _ what: String) -> Duration? {
        amount(node, what, example: "\"30s\", \"500ms\", \"10m\"", UnitText.duration)
    }

    /// Parses a duration greater than zero.
    mutating func timeLimit(_ node: FlowNode, _ what: String) -> Duration? {
        guard let limit = duration(node, what) else { return nil }
        if limit > .zero { return limit }
        issues.add(
            .wrongValue, at: node.offset, "\(what) must be more than 0",
            hint: "leave it out for no limit")
        return nil
    }

    /// Parses a size: `"10MB"`, or a number of bytes.
    mutating func size(_ node: FlowNode, _ what: String) -> Int? {
        amount(node, what, example: "\"10MB\", \"64KiB\"", UnitText.bytes)
    }

    private mutating func amount<Amount>(
        _ node: FlowNode, _ what: String, example: String, _ read: (String) -> Amount?
    ) -> Amount? {
        switch node.value {
        case .number(let literal):
            if let amount = read(literal) { return amount }
        case .text(let text):
            if let amount = read(text.string) { return amount }
        default: break
        }
        issues.add(.wrongValue, at: node.offset, "\(what) is written like \(example)")
        return nil
    }

    // MARK: Names, formulas, queries

    /// Parses a name or a list of names without duplicates.
    mutating func references(_ node: FlowNode, _ what: String) -> [FlowReference] {
        let nodes: [FlowNode]
        if case .text = node.value {
            nodes = [node]
        } else if case .list(let parts) = node.value {
            nodes = parts
        } else {
            wrong(node, "\(what) is a task's name or a list of names")
            return []
        }
        var references: [FlowReference] = []
        for node in nodes {
            guard let name = text(node, "a name in \(what)")?.string else { continue }
            if references.contains(where: { $0.name == name }) {
                issues.add(.duplicateKey, at: node.offset, "\"\(name)\" is listed twice in \(what)")
            } else {
                references.append(FlowReference(name: name, offset: node.offset))
            }
        }
        return references
    }

    /// Parses a path or a list of paths.
    mutating func paths(_ node: FlowNode, _ what: String) -> [FlowTemplate] {
        let nodes: [FlowNode]
        if case .list(let parts) = node.value {
            nodes = parts
        } else if case .text = node.value {
            nodes = [node]
        } else {
            wrong(node, "\(what) is a path or a list of paths")
            return []
        }
        return nodes.compactMap { node in
            let template = template(node, "a path in \(what)")
            if template?.literal == "" { issues.add(.wrongValue, at: node.offset, "there is no path") }
            return template
        }
    }

    mutating func template(_ node: FlowNode, _ what: String) -> FlowTemplate? {
        guard let text = text(node, what) else { return nil }
        let template = formula { () throws(ExpressionError) in try FlowTemplate(text) }
        formulas += template?.formulas ?? []
        return template
    }

    mutating func expression(_ node: FlowNode, _ what: String) -> FlowExpression? {
        guard let text = text(node, what) else { return nil }
        let expression = formula { () throws(ExpressionError) in try ExpressionParser.parse(text) }
        if let expression { formulas.append(expression) }
        return expression
    }

    private mutating func formula<Formula>(
        _ read: () throws(ExpressionError) -> Formula
    ) -> Formula? {
        do {
            return try read()
        } catch {
            issues.add(.expression, at: error.offset, error.message, hint: error.hint)
            return nil
        }
    }

    /// Parses a value of any kind, whose texts may contain formulas.
    mutating func literal(_ node: FlowNode) -> FlowLiteral? {
        switch node.value {
        case .text:
            guard let template = template(node, "a value") else { return nil }
            return template.literal.map { .plain(JSON($0)) } ?? .text(template)
        case .list(let nodes):
            let parts = nodes.map { literal($0) }
            return parts.contains { $0 == nil } ? nil : .list(parts.compactMap(\.self))
        case .object(let members):
            let parts = members.map { (key: $0.key, value: literal($0.value)) }
            guard !parts.contains(where: { $0.value == nil }) else { return nil }
            return .object(parts.compactMap { part in part.value.map { (key: part.key, value: $0) } })
        default: return .plain(node.json)
        }
    }

    /// Parses a JSONPath or an XPath; an XPath is checked once the namespaces are known.
    mutating func query(_ node: FlowNode, _ what: String) -> FlowQuery? {
        guard let text = text(node, what) else { return nil }
        guard text.string.hasPrefix("$") else {
            guard !text.string.isEmpty else {
                issues.add(.query, at: node.offset, "\(what) is empty")
                return nil
            }
            return FlowQuery(language: .xml(text.string), offset: text.start)
        }
        do {
            return FlowQuery(language: .json(try JSONPath(text.string)), offset: text.start)
        } catch {
            let mistake = JSONPathMistake(in: text.string, at: error.byteOffset, error.message)
            issues.add(
                .query, at: text.fileOffset(of: error.byteOffset), mistake.message, hint: mistake.hint)
            return nil
        }
    }

    mutating func wrong(_ node: FlowNode, _ expected: String, hint: String? = nil) {
        issues.add(.wrongType, at: node.offset, "\(expected), not \(node.kind)", hint: hint)
    }
}
