public import SteplineJSON
import SteplinePipeline

/// Finds values in a `JSON` document by a JSONPath (RFC 9535).
///
///     Pipeline { FileLoadStep(file); JSONParseStep(); JSONQueryStep("$.items[?@.price < 10].title") }
///
/// No match is an empty list. The pipeline's check finds a malformed path.
public final class JSONQueryStep: ReadyMadeStep<JSON, [JSON]>, @unchecked Sendable {
    /// Makes a step that looks at no more than `budget` values on its way, and fails with `.tooLarge` past that.
    public init(_ path: String, budget: Int = JSON.defaultQueryBudget) {
        let query = Result { () throws(JSONError) in try JSONPath(path) }
        super.init(
            problems: query.problems(of: "path", path), copy: { JSONQueryStep(path, budget: budget) }
        ) { json, _ in
            try json.query(query.get(), budget: budget)
        }
    }
}

extension Result where Failure == JSONError {
    /// The error as a pipeline's check reports it.
    func problems(of kind: String, _ text: String) -> [String] {
        guard case .failure(let error) = self else { return [] }
        return ["the \(kind) \"\(text)\" is malformed: \(error)"]
    }
}
