import SteplineJSON

/// The tasks and parameters of a workflow file, for `list`.
struct FlowListing {
    private let file: FlowFile

    init(of plan: FlowPlan) { file = plan.file }

    /// The lines for a terminal, without control characters from the file.
    var text: String {
        var lines = [Session.oneLine(file.name + (file.description.map { ": \($0)" } ?? ""))]
        lines += Self.table("tasks", file.tasks.map { [$0.name, $0.description ?? ""] })
        lines += Self.table(
            "parameters",
            file.parameters.map { parameter in
                let facts = [parameter.expected, parameter.description].compactMap(\.self)
                return [parameter.name, Self.standard(of: parameter), facts.joined(separator: "; ")]
            })
        return lines.map { $0 + "\n" }.joined()
    }

    private static func standard(of parameter: FlowParameter) -> String {
        parameter.standard.map(\.description) ?? (parameter.isRequired ? "required" : "none")
    }

    /// Returns a title and rows with aligned columns; nothing without rows.
    private static func table(_ title: String, _ rows: [[String]]) -> [String] {
        guard let first = rows.first else { return [] }
        let rows = rows.map { $0.map(Session.oneLine) }
        let widths = first.indices.map { column in rows.map { Columns.width($0[column]) }.max() ?? 0 }
        return [title]
            + rows.map { row in
                let cells = zip(row, widths).map { text, width in
                    text + String(repeating: " ", count: width - Columns.width(text))
                }
                let line = "  " + cells.joined(separator: "  ")
                return String(line.reversed().drop { $0 == " " }.reversed())
            }
    }

    /// Returns the listing as an object.
    func json() throws -> JSON {
        let tasks = try file.tasks.map { task in
            try JSON(members: [
                (key: "name", value: JSON(task.name)),
                (key: "description", value: Self.text(task.description)),
                (key: "after", value: try JSON(elements: task.after.map { JSON($0.name) })),
                (key: "runs", value: JSON(task.runs.rawValue)),
            ])
        }
        let parameters = try file.parameters.map { parameter in
            var members: [(key: String, value: JSON)] = [
                ("name", JSON(parameter.name)), ("type", JSON(parameter.kind.rawValue)),
                ("required", JSON(parameter.isRequired)), ("default", parameter.standard ?? .null),
                ("description", Self.text(parameter.description)),
            ]
            if !parameter.values.isEmpty {
                members.append(("values", try JSON(elements: parameter.values)))
            }
            return try JSON(members: members)
        }
        return try JSON(members: [
            (key: "name", value: JSON(file.name)), (key: "description", value: Self.text(file.description)),
            (key: "tasks", value: try JSON(elements: tasks)),
            (key: "parameters", value: try JSON(elements: parameters)),
        ])
    }

    private static func text(_ text: String?) -> JSON { text.map { JSON($0) } ?? .null }

    /// Returns the names of one kind, a line each.
    func names(_ kind: FlowNameKind) -> String {
        let names =
            switch kind {
            case .tasks: file.tasks.map(\.name)
            case .parameters: file.parameters.map(\.name)
            }
        return names.map { $0 + "\n" }.joined()
    }
}

/// The kinds of names that completions ask for.
enum FlowNameKind: String, Sendable, CaseIterable {
    case tasks, parameters
}
