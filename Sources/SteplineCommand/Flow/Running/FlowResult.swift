import SteplineJSON
import SteplineRuns

/// What a task of a workflow file has made: its value, and the files that it has written.
struct FlowResult: Codable, Sendable {
    let value: FlowValue
    /// Empty unless somebody wants to know.
    var files: [ProducedFile] = []
    /// Why the task was skipped; nil if it was run.
    var skipped: String?
}

extension FlowResult {
    /// A map's result: the list of its elements' values.
    init(elements: [FlowResult]) throws {
        value = .json(try JSON(elements: elements.map { try $0.value.forFormulas() }))
        files = elements.flatMap(\.files)
    }

    /// That of a task that was skipped.
    init(skipped reason: String) {
        value = .json(.null)
        skipped = reason
    }

    /// The value in a task's result, that of a map in a list of its elements; nil if the task has none, or was skipped.
    static func value(of result: (any Sendable)?) -> FlowValue? {
        if let elements = result as? [FlowResult] { return (try? FlowResult(elements: elements))?.value }
        return (result as? FlowResult).flatMap { $0.skipped == nil ? $0.value : nil }
    }
}
