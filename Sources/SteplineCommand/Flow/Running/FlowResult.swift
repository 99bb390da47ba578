import SteplineJSON
import SteplineRuns

/// The result of a task: its value and the files that it has written.
struct FlowResult: Codable, Sendable {
    let value: FlowValue
    /// The written files; empty unless they are recorded.
    var files: [ProducedFile] = []
    /// The reason why the task was skipped; nil if it ran.
    var skipped: String?
}

extension FlowResult {
    /// Creates the result of a map from its elements' values.
    init(elements: [FlowResult]) throws {
        value = .json(try JSON(elements: elements.map { try $0.value.forFormulas() }))
        files = elements.flatMap(\.files)
    }

    /// Creates the result of a skipped task.
    init(skipped reason: String) {
        value = .json(.null)
        skipped = reason
    }

    /// Returns the value in a task's result, a list for a map; nil if there is none or the task was skipped.
    static func value(of result: (any Sendable)?) -> FlowValue? {
        if let elements = result as? [FlowResult] { return (try? FlowResult(elements: elements))?.value }
        return (result as? FlowResult).flatMap { $0.skipped == nil ? $0.value : nil }
    }
}
