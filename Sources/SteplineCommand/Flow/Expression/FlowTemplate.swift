import SteplineJSON
import SteplineSupport

/// A text with embedded formulas: `https://example.org/${city}`; `$${` stands for `${` itself.
struct FlowTemplate: Sendable {
    enum Part: Sendable {
        case text(String)
        case formula(FlowExpression)
    }

    /// The source text.
    let text: String
    let parts: [Part]
    /// The offset of the text in the file.
    let offset: Int

    /// The text if it contains no formulas.
    var literal: String? {
        switch parts.count {
        case 0: ""
        case 1: if case .text(let text) = parts[0] { text } else { nil }
        default: nil
        }
    }

    /// The formula if the text is nothing else.
    var onlyFormula: FlowExpression? {
        if parts.count == 1, case .formula(let formula) = parts[0] { formula } else { nil }
    }

    var formulas: [FlowExpression] {
        parts.compactMap { part in if case .formula(let formula) = part { formula } else { nil } }
    }

    var references: [FlowExpression.Reference] { formulas.flatMap(\.references) }

    var namesSecret: Bool {
        references.contains { if case .secret = $0.name { true } else { false } }
    }

    init(_ text: FlowText) throws(ExpressionError) {
        offset = text.start
        self.text = text.string
        let bytes = Array(text.string.utf8)
        var parts: [Part] = []
        var plain: [UInt8] = []
        var position = 0
        func isOpening(_ position: Int) -> Bool {
            position + 1 < bytes.count && bytes[position] == UInt8(ascii: "$")
                && bytes[position + 1] == UInt8(ascii: "{")
        }
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "$"), isOpening(position + 1) {
                plain += Array("${".utf8)
                position += 3
            } else if isOpening(position) {
                if !plain.isEmpty { parts.append(.text(String(decoding: plain, as: UTF8.self))) }
                plain = []
                let (formula, end) = try ExpressionParser.parse(embeddedIn: text, bytes, from: position + 2)
                parts.append(.formula(formula))
                position = end
            } else {
                plain.append(bytes[position])
                position += 1
            }
        }
        if !plain.isEmpty { parts.append(.text(String(decoding: plain, as: UTF8.self))) }
        self.parts = parts
    }

    /// Creates the path of a file in a folder.
    init(_ folder: FlowTemplate, inside name: FlowTemplate) {
        let slash = folder.text.ends(with: "/") ? "" : "/"
        text = folder.text + slash + name.text
        // The literal parts become one, so that a path without formulas is known before the run.
        parts = (folder.parts + [.text(slash)] + name.parts).reduce(into: []) { parts, part in
            if case .text(let next) = part, case .text(let last)? = parts.last {
                parts[parts.count - 1] = .text(last + next)
            } else {
                parts.append(part)
            }
        }
        offset = name.offset
    }

    /// Returns the text with all formulas evaluated; `shape` converts each value, given the text before it.
    func filled(
        by evaluator: ExpressionEvaluator,
        shape: (_ value: String, _ before: String, _ formula: FlowExpression) throws -> String = {
            value, _, _ in value
        }
    ) throws -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let plain): text += plain
            case .formula(let formula):
                let value = try evaluator.part(evaluator.value(of: formula), at: formula.root.offset)
                guard let filling = value.asText else {
                    throw ExpressionError(
                        offset: formula.root.offset, message: "\(value.article) can't be put into a text",
                        hint: value.isNull ? "give a value for then: ${… ?? \"none\"}" : nil)
                }
                do {
                    text += try shape(filling, text, formula)
                } catch let error as ShapeError {
                    throw ExpressionError(
                        offset: formula.root.offset, message: error.message, hint: error.hint)
                }
            }
        }
        return text
    }

    /// The error for a value that isn't allowed at its position.
    struct ShapeError: Error {
        let message: String
        var hint: String?
    }

    /// Returns the value of the only formula with its type, otherwise the text.
    func value(by evaluator: ExpressionEvaluator) throws -> JSON {
        if let formula = onlyFormula { return try evaluator.value(of: formula) }
        return JSON(try filled(by: evaluator))
    }
}
