public import SteplinePipeline
public import SteplineXML

/// Evaluates an XPath 1.0 query on a document.
///
///     Pipeline { FileLoadStep(file); XMLParseStep(); XMLQueryStep(.strings("//item/title")) }
///
/// Without matches the result is an empty list or nil. A query that exceeds its budget throws `.limit`. The pipeline's
/// check reports an invalid expression or an unbound prefix.
public final class XMLQueryStep<R: Sendable>: BasicStep<XML.Document, R>,
    @unchecked Sendable  // all stored properties are constant
{
    private let query: XML.Query<R>
    private let namespaces: [String: String]
    private let variables: [String: XML.Value]

    /// Creates a step for a query; `namespaces` maps its prefixes to URIs, `variables` its `$names` to values.
    public init(
        _ query: XML.Query<R>, namespaces: [String: String] = [:], variables: [String: XML.Value] = [:]
    ) {
        self.query = query
        self.namespaces = namespaces
        self.variables = variables
        super.init()
    }

    /// The errors in the settings: an invalid expression, or an unbound prefix.
    public override var configurationProblems: [String] { query.problems(namespaces) }

    /// Creates an unused step with the same query, namespaces, variables and options.
    public override func makeCopy() -> any Step {
        let copy = XMLQueryStep(query, namespaces: namespaces, variables: variables)
        copy.takeOptions(of: self)
        return copy
    }

    /// Evaluates the query.
    public override func process(_ document: XML.Document) throws -> R {
        try document.query(query, namespaces: namespaces, variables: variables)
    }
}

extension XMLQueryStep where R == [XML.Node] {
    /// Unavailable: produces a helpful message, since a query determines its result type.
    @available(
        *, unavailable,
        message: "a query says what it gives: .elements(\"//a\"), .strings(\"//a\") and so on"
    )
    public convenience init(_ expression: String) { self.init(.nodes(expression)) }
}

extension XML.Query {
    /// Returns the errors of the query, for the pipeline's check.
    func problems(_ namespaces: [String: String]) -> [String] {
        do throws(XMLError) {
            try check(namespaces: namespaces)
            return []
        } catch {
            return ["the query \"\(expression)\" is wrong: \(error)"]
        }
    }
}
