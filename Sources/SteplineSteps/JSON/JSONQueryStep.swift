public import SteplineJSON
public import SteplinePipeline

/// Finds values in a `JSON` document by a JSONPath (RFC 9535).
///
///     Pipeline { FileLoadStep(file); JSONParseStep(); JSONQueryStep("$.items[?@.price < 10].title") }
///
/// No match is an empty list. The pipeline's check finds a malformed path.
public final class JSONQueryStep: BasicStep<JSON, [JSON]>,
    @unchecked Sendable  // all that is stored is constant
{
    private let path: String
    private let query: Result<JSONPath, JSONError>
    private let budget: Int

    /// Makes a step that looks at no more than `budget` values on its way, and fails with `.tooLarge` past that.
    public init(_ path: String, budget: Int = JSON.defaultQueryBudget) {
        self.path = path
        query = Result { () throws(JSONError) in try JSONPath(path) }
        self.budget = budget
        super.init()
    }

    /// What is wrong with the settings: a malformed path.
    public override var configurationProblems: [String] {
        guard case .failure(let error) = query else { return [] }
        return ["the path \"\(path)\" is malformed: \(error)"]
    }

    /// Makes an unused step with the same path and options.
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
