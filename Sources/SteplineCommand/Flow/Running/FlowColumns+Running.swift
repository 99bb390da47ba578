import Foundation
import SteplineJSON
import SteplineXML

extension FlowColumns {
    /// Returns a list of objects, one for each row.
    ///
    /// Without a query for the rows, the rows are the elements of a list; any other value is the only row.
    func table(of value: FlowValue, _ setting: FlowSetting, _ budget: ExpressionBudget) throws -> JSON {
        switch value {
        case .json(let json): return try JSON(elements: table(rows: rows(of: json), budget))
        case .document(let document):
            return try JSON(elements: table(rows: rows(of: document, setting), setting, budget))
        case .bytes: throw FlowError("columns can't look into \(value.article)")
        }
    }

    private func rows(of json: JSON) throws -> [JSON] {
        guard let rows else { return json.array ?? [json] }
        guard case .json(let path) = rows.language else { throw rows.misfit(.json(json)) }
        return try json.query(path)
    }

    private func table(rows: [JSON], _ budget: ExpressionBudget) throws -> [JSON] {
        try rows.enumerated().map { number, row in
            try self.row(number, budget) { column in
                guard case .json(let path) = column.query.language else {
                    throw column.query.misfit(.json(row))
                }
                return try row.query(path).first
            }
        }
    }

    private func rows(of document: FlowDocument, _ setting: FlowSetting) throws -> [XML.Element] {
        guard let rows else { return [document.tree.root] }
        guard case .xml(let path) = rows.language else { throw rows.misfit(.document(document)) }
        return try document.tree.query(.elements(path), namespaces: setting.namespaces)
    }

    private func table(
        rows: [XML.Element], _ setting: FlowSetting, _ budget: ExpressionBudget
    ) throws -> [JSON] {
        try rows.enumerated().map { number, row in
            try self.row(number, budget) { column in
                guard case .xml(let path) = column.query.language else {
                    throw FlowError("\(column.query.text) can't look into an XML document")
                }
                return try row.query(.string(path), namespaces: setting.namespaces).map { JSON($0) }
            }
        }
    }

    private func row(
        _ number: Int, _ budget: ExpressionBudget, _ find: (Column) throws -> JSON?
    ) throws -> JSON {
        try JSON(
            members: columns.map { column in
                let found = try find(column) ?? .null
                // Other kinds are small, at most one for each row and column.
                if [.string, .array, .object].contains(found.kind) { try budget.take(found) }
                guard let kind = column.kind else { return (key: column.name, value: found) }
                guard let value = kind.convert(found) else {
                    throw FlowError(
                        "row \(number + 1), column \(column.name): \(found) is no \(kind.rawValue)")
                }
                return (key: column.name, value: value)
            })
    }
}

extension FlowColumns.Kind {
    /// Converts a value; null stays null.
    func convert(_ value: JSON) -> JSON? {
        if value.isNull { return .null }
        guard self != .string else { return JSON(value.asText ?? value.description) }
        let spelled = value.asText?.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let spelled, !spelled.isEmpty else { return spelled == nil ? nil : .null }
        let scalar = try? JSON(parsing: spelled)
        switch self {
        case .string: return value
        case .number: return scalar?.kind == .number ? scalar : nil
        case .integer: return scalar?.int.map { JSON($0) }
        case .boolean: return scalar?.bool.map { JSON($0) }
        }
    }
}
