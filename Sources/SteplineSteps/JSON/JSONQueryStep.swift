public import SteplineJSON
public import SteplinePipeline

/// Finds values in a `JSON` document by a JSONPath (RFC 9535).
///
///     Pipeline { FileLoadStep(file); JSONParseStep(); JSONQueryStep("$.items[?@.price < 10].title") }
///
/// Without matches the list is empty. The pipeline's check reports a malformed path.
public final class JSONQueryStep: BasicStep<JSON, [JSON]>,
    @unchecked Sendable  // all stored properties are constant
{
    private let path: String
    private let query: Result<JSONPath, JSONError>
    private let budget: Int

    /// Creates a step that examines at most `budget` values, and throws `.tooLarge` beyond that.
    public init(_ path: String, budget: Int = JSON.defaultQueryBudget) {
        self.path = path
        query = Result { () throws(JSONError) in try JSONPath(path) }
        self.budget = budget
        super.init()
    }

    /// The errors in the settings: a malformed path.
    public override var configurationProblems: [String] {
        guard case .failure(let error) = query else { return [] }
        return ["the path \"\(path)\" is malformed: \(error)"]
    }

    /// Creates an unused step with the same path and options.
    public override func makeCopy() -> any Step {
        let copy = JSONQueryStep(path, budget: budget)
        copy.takeOptions(of: self)
        return copy
    }

    /// Queries.
    public override func process(_ json: JSON) throws -> [JSON] {
        try json.query(query.get(), budget: budget)
    }
}
