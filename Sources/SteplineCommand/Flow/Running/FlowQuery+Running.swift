import SteplineJSON
import SteplineXML

extension FlowQuery {
    /// Returns all matches as a list.
    ///
    /// Matches may overlap or repeat, so that the list can be larger than its source: the budget is charged.
    func all(in value: FlowValue, _ setting: FlowSetting, _ budget: ExpressionBudget) throws -> JSON {
        try budget.list(found(in: value, setting.namespaces))
    }

    /// Everything that is found.
    func found(in value: FlowValue, _ namespaces: [String: String] = [:]) throws -> [JSON] {
        switch (language, value) {
        case (.json(let path), .json(let json)): return try json.query(path)
        case (.xml(let path), .document(let document)):
            return try document.tree.query(.strings(path), namespaces: namespaces).map { JSON($0) }
        default: throw misfit(value)
        }
    }

    /// Returns the first match.
    func first(in value: FlowValue, _ setting: FlowSetting) throws -> JSON? {
        switch (language, value) {
        case (.json(let path), .json(let json)): return try json.query(path).first
        case (.xml(let path), .document(let document)):
            return try document.tree.query(.string(path), namespaces: setting.namespaces).map { JSON($0) }
        default: throw misfit(value)
        }
    }

    func misfit(_ value: FlowValue) -> FlowError { FlowError("\(text) can't look into \(value.article)") }
}
