import Foundation
import SteplineJSON
import SteplineSteps
import SteplineSupport
import SteplineXML

extension FlowFunction {
    static let texts: [FlowFunction] = [
        FlowFunction("upper", [.text], .string, "upper(text): in uppercase", makesMuch: true) {
            JSON(try text($0[0]).uppercased())
        },
        FlowFunction("lower", [.text], .string, "lower(text): in lowercase", makesMuch: true) {
            JSON(try text($0[0]).lowercased())
        },
        FlowFunction("trim", [.text], .string, "trim(text): without blanks around it", makesMuch: true) {
            values in
            JSON(try text(values[0]).trimmingCharacters(in: .whitespacesAndNewlines))
        },
        FlowFunction(
            "text", [.any], .string, "text(value): as written, lists and objects as JSON",
            makesMuch: true
        ) {
            values in
            JSON(values[0].asText ?? values[0].description)
        },
        FlowFunction("split", [.text, .text], .array, "split(text, separator): its parts", makesMuch: true) {
            values in
            let separator = try text(values[1])
            guard !separator.isEmpty else { throw Misuse(message: "the separator is empty") }
            let whole = try text(values[0])
            // Each part costs more than its text: charge all parts before creating them.
            try allow(
                whole.utf8.count, plus: whole.count(of: separator) + 1, times: ExpressionBudget.node,
                what: "list of parts would be too large")
            return try JSON(elements: whole.parts(between: separator).map { JSON($0) })
        },
        FlowFunction(
            "join", [.scalars, .maybe(.text)], .string, "join(list, separator): its elements as one text",
            makesMuch: true
        ) {
            values in
            let parts = try list(values[0]).map { element in
                guard let text = element.asText else {
                    throw Misuse(message: "\(element.article) can't be joined")
                }
                return text
            }
            let separator = values.count > 1 ? try text(values[1]) : ""
            let length = parts.reduce(0) { $0 + $1.utf8.count }
            try allow(length, plus: parts.count, times: separator.utf8.count)
            return JSON(parts.joined(separator: separator))
        },
        FlowFunction(
            "replace", [.text, .text, .text], .string, "replace(text, old, new): replaces every old",
            makesMuch: true
        ) {
            values in
            let old = try text(values[1])
            guard !old.isEmpty else { throw Misuse(message: "the text to replace is empty") }
            let (whole, new) = (try text(values[0]), try text(values[2]))
            try allow(whole.utf8.count, plus: whole.count(of: old), times: new.utf8.count)
            return JSON(whole.replacing(old, by: new))
        },
        FlowFunction(
            "url", [.text, .text], nil,
            "url(link, page): the link's normalized address, without fragment; null unless http or https",
            makesMuch: true
        ) { values in
            guard let page = URL(string: try text(values[1])) else { return .null }
            let url = LinkBase(page).address(try text(values[0]))
            return url.map { JSON($0.normalized.absoluteString) } ?? .null
        },
        FlowFunction("startsWith", [.text, .text], .bool, "startsWith(text, beginning): true or false") {
            values in
            JSON(try text(values[0]).begins(with: text(values[1])))
        },
        FlowFunction("endsWith", [.text, .text], .bool, "endsWith(text, end): true or false") { values in
            JSON(try text(values[0]).ends(with: text(values[1])))
        },
    ]

    /// Throws before creating a text that would exceed the limit.
    private static func allow(
        _ length: Int, plus count: Int, times more: Int, what: String = "text would be too long"
    ) throws {
        let (added, isPast) = count.multipliedReportingOverflow(by: more)
        guard !isPast, length + added <= mostText else { throw Misuse(message: "the \(what)") }
    }
}
