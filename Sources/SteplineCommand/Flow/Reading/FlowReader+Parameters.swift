import SteplineJSON

extension FlowReader {
    /// Parses the allowed values of a parameter.
    mutating func bound(_ parameter: inout FlowParameter, _ fields: FlowFields) {
        let kind = parameter.kind
        if let node = fields["values"], let nodes = list(node, "values") {
            if nodes.isEmpty { issues.add(.wrongValue, at: node.offset, "values is empty: no value fits") }
            for node in nodes {
                if kind.acceptsPart(node.json) {
                    parameter.values.append(node.json)
                } else {
                    issues.add(.wrongType, at: node.offset, "\(node.kind) is no value of type \(kind)")
                }
            }
        }
        if let node = fields["pattern"], let text = text(node, "pattern") {
            if kind != .string, kind != .list {
                issues.add(.wrongValue, at: node.offset, "a pattern is for texts, but the type is \(kind)")
            }
            do {
                _ = try FlowPattern(text.string)
                parameter.pattern = text.string
            } catch {
                issues.add(
                    .wrongValue, at: text.fileOffset(of: error.offset), error.message, hint: error.hint)
            }
        }
        for word in ["minimum", "maximum"] {
            guard let node = fields[word], let bound = number(word, of: fields) else { continue }
            if kind != .number, kind != .integer {
                issues.add(.wrongValue, at: node.offset, "a \(word) is for numbers, but the type is \(kind)")
            }
            if word == "minimum" { parameter.minimum = bound } else { parameter.maximum = bound }
        }
        if let least = parameter.minimum, let most = parameter.maximum, least > most,
            let node = fields["maximum"]
        {
            issues.add(
                .wrongValue, at: node.offset, "the maximum is less than the minimum: no value fits")
        }
    }
}

extension FlowParameter.Kind {
    /// Returns whether a value or an element may be of this kind.
    fileprivate func acceptsPart(_ value: JSON) -> Bool {
        self == .list ? value.kind != .null && value.kind != .object : accepts(value)
    }
}

extension FlowParameter {
    /// Returns the reason why a value is not allowed; nil if it is.
    func objection(to value: JSON) -> String? {
        guard kind.accepts(value) else { return "\(value) is no \(kind.rawValue)" }
        for part in kind == .list ? value.array ?? [] : [value] {
            if !values.isEmpty, !values.contains(where: { $0.isSame(as: part) }) {
                return "\(part) is none of \(values.map(\.description).joined(separator: ", "))"
            }
            if let pattern, let text = part.asText, (try? FlowPattern(pattern).isWhole(text)) != true {
                return "\(part) doesn't look like \(pattern)"
            }
            guard let number = part.double else { continue }
            if let minimum, number < minimum { return "\(part) is less than \(JSON(computed: minimum))" }
            if let maximum, number > maximum { return "\(part) is more than \(JSON(computed: maximum))" }
        }
        return nil
    }

    /// A description of valid values: `string, one of "a", "b"`.
    var expected: String {
        var facts = [kind.rawValue]
        if !values.isEmpty { facts.append("one of " + values.map(\.description).joined(separator: ", ")) }
        if let pattern { facts.append("like \(pattern)") }
        if let minimum { facts.append("from \(JSON(computed: minimum))") }
        if let maximum { facts.append("to \(JSON(computed: maximum))") }
        return facts.joined(separator: ", ")
    }
}
