import SteplineJSON
import SteplineRuns

/// What a task of a workflow file has made: its value, and the files that it has written.
struct FlowResult: Codable, Sendable {
    let value: FlowValue
    /// Empty unless somebody wants to know.
    var files: [ProducedFile] = []
}

extension FlowResult {
    /// A map's result: the list of its elements' values.
    init(elements: [FlowResult]) throws {
        value = .json(try JSON(elements: elements.map { try $0.value.forFormulas() }))
        files = elements.flatMap(\.files)
    }

    /// The value in a task's result, that of a map in a list of its elements; nil if the task has none.
    static func value(of result: (any Sendable)?) -> FlowValue? {
        if let elements = result as? [FlowResult] { return (try? FlowResult(elements: elements))?.value }
        return (result as? FlowResult)?.value
    }
}
