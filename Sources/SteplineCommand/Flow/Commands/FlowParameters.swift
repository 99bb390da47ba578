import SteplineJSON
import SteplineSupport

/// The values of a file's parameters: defaults and command-line values.
enum FlowParameters {
    /// Returns the values; throws a `UsageError` for an unknown parameter or a wrong type.
    static func values(of parameters: [FlowParameter], given: [String]) throws -> [String: JSON] {
        var values: [String: JSON] = [:]
        for parameter in parameters { values[parameter.name] = parameter.standard }
        for text in given {
            guard let (name, value) = text.halves(at: "=") else {
                throw UsageError("--set expects NAME=VALUE, got '\(text)'")
            }
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                throw UsageError(
                    "the file has no parameter '\(name)'"
                        + Guess.question(name, among: parameters.map(\.name)))
            }
            guard let value = parameter.kind.value(of: value) else {
                throw UsageError(
                    "parameter '\(name)' expects \(parameter.kind.rawValue), got '\(value)'")
            }
            if let objection = parameter.objection(to: value) {
                throw UsageError("--set \(name): \(objection)")
            }
            values[name] = value
        }
        return values
    }
}

extension FlowParameter.Kind {
    /// Converts a command-line text to a value; lists are JSON or separated by commas.
    func value(of text: String) -> JSON? {
        switch self {
        case .string: return JSON(text)
        case .number, .integer, .boolean: return parsed(text)
        case .list:
            if text.hasPrefix("[") { return parsed(text) }
            let parts = text.isEmpty ? [] : text.parts(between: ",")
            return try? JSON(elements: parts.map { JSON($0) })
        }
    }

    private func parsed(_ text: String) -> JSON? {
        guard let value = try? JSON(parsing: text), accepts(value) else { return nil }
        return value
    }
}
