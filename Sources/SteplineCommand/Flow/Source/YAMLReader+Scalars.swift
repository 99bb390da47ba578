import CYAML
import SteplineSupport

/// Tags and plain scalars by the core schema of YAML 1.2: `no` is text, and so are dates and `1_000`.
extension YAMLReader {
    /// The meaning of a plain scalar.
    private enum Plain {
        case value(FlowNode.Value)
        case text
        case refused(message: String, hint: String)
    }

    private static let standardTags = "tag:yaml.org,2002:"
    private static let words: [String: FlowNode.Value] = [
        "": .null, "~": .null, "null": .null, "Null": .null, "NULL": .null,
        "true": .bool(true), "True": .bool(true), "TRUE": .bool(true),
        "false": .bool(false), "False": .bool(false), "FALSE": .bool(false),
    ]

    /// Reads a scalar.
    mutating func scalar(
        _ event: cyaml_event, _ start: Int
    ) throws(Stop) -> (value: FlowNode.Value, offset: Int) {
        let place = content(event, from: start)
        let text = event.text
        let shown = Self.shown(text)
        var plain = event.style == CYAML_PLAIN ? Self.plain(text) : .text
        if let tag = event.tag.map({ String(cString: $0) }) {
            let name = tag.begins(with: Self.standardTags) ? tag.dropFirst(Self.standardTags.count) : ""
            switch name {
            case "str": plain = .text
            case "null", "bool", "int", "float":
                plain = Self.plain(text)
                guard case .value(let value) = plain else { break }
                guard value.fits(tag: name) else {
                    try fail(at: place, "\(text.isEmpty ? "nothing" : shown) is no !!\(name)")
                }
            default:
                guard tag == "!" else { try refuse(tag, start) }
                plain = .text
            }
            if case .text = plain, name != "str", tag != "!" {
                try fail(at: place, "\"\(shown)\" is no !!\(name)")
            }
        }
        switch plain {
        case .value(let value): return (value, place)
        case .text:
            let end = self.end(of: event)
            return (
                .text(FlowText(yaml: text, event.style, in: source.bytes, place..<max(place, end))), place
            )
        case .refused(let message, let hint): try fail(at: place, message, hint: hint)
        }
    }

    /// Reports the tag of a list or object if it is another one than the core schema's.
    mutating func checkTag(_ event: cyaml_event, _ start: Int, isList: Bool) throws(Stop) {
        guard let tag = event.tag.map({ String(cString: $0) }), tag != "!",
            tag != Self.standardTags + (isList ? "seq" : "map")
        else { return }
        try refuse(tag, start)
    }

    private mutating func refuse(_ tag: String, _ start: Int) throws(Stop) -> Never {
        let isStandard = tag.begins(with: Self.standardTags)
        let name = isStandard ? "!!" + tag.dropFirst(Self.standardTags.count) : tag
        try fail(
            at: start, "the tag \(Self.shown(name)) isn't supported here",
            hint: "remove it, or quote a text that begins with '!'")
    }

    /// Returns what a plain scalar means.
    private static func plain(_ text: String) -> Plain {
        if let value = words[text] { return .value(value) }
        guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first) else { return .text }
        let isNegative = first == UInt8(ascii: "-")
        let digits = isNegative || first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
        if [".inf", ".Inf", ".INF"].contains(digits) || [".nan", ".NaN", ".NAN"].contains(text) {
            return .refused(message: "\(text) can't be used: numbers are finite", hint: "quote it for a text")
        }
        // Other bases have no sign.
        for (prefix, radix) in [("0o", 8), ("0x", 16)] where text.begins(with: prefix) {
            let rest = text.dropFirst(2)
            guard !rest.isEmpty, rest.utf8.allSatisfy({ digitValue($0) < radix }) else { return .text }
            guard let number = UInt64(rest, radix: radix) else {
                return .refused(
                    message: "the number \(shown(text)) is too large", hint: "quote it for a text")
            }
            return .value(.number("\(number)"))
        }
        guard !digits.begins(with: "0x"), !digits.begins(with: "0X") else { return .text }
        if let literal = JSON5Reader.literal(String(digits)) {
            return .value(.number((isNegative ? "-" : "") + literal))
        }
        // Other readers take such a number for an octal one.
        let rest = String(digits.drop { $0 == "0" })
        let zero = rest.utf8.first.map { digitValue($0) < 10 } == true ? rest : "0" + rest
        if digits.utf8.first == UInt8(ascii: "0"), let literal = JSON5Reader.literal(zero) {
            return .refused(
                message: "the number \(shown(text)) begins with 0",
                hint:
                    "write \"\(shown(text))\" for a text, \(isNegative ? "-" : "")\(shown(literal)) for a number"
            )
        }
        return .text
    }

    private static func digitValue(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: Int.max
        }
    }
}

extension FlowNode.Value {
    /// Whether the value is of a scalar tag's type.
    fileprivate func fits(tag: some StringProtocol) -> Bool {
        switch self {
        case .null: tag == "null"
        case .bool: tag == "bool"
        case .number(let literal):
            tag == "float" || tag == "int" && !literal.utf8.contains { ".e".utf8.contains($0) }
        case .text, .list, .object: false
        }
    }
}
