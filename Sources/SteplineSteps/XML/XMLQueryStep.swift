public import SteplinePipeline
public import SteplineXML

/// Evaluates an XPath 1.0 query on a document.
///
///     Pipeline { FileLoadStep(file); XMLParseStep(); XMLQueryStep(.strings("//item/title")) }
///
/// No match is an empty list or nil, not a failure; a runaway query ends in `.limit`. The pipeline's check finds
/// a wrong expression and a prefix that `namespaces` doesn't bind.
public final class XMLQueryStep<R: Sendable>: BasicStep<XML.Document, R>,
    @unchecked Sendable  // all that is stored is constant
{
    private let query: XML.Query<R>
    private let namespaces: [String: String]
    private let variables: [String: XML.Value]

    /// Makes a step for a query; `namespaces` maps its prefixes to URIs, `variables` its `$names` to values.
    public init(
        _ query: XML.Query<R>, namespaces: [String: String] = [:], variables: [String: XML.Value] = [:]
    ) {
        self.query = query
        self.namespaces = namespaces
        self.variables = variables
        super.init()
    }

    /// What is wrong with the settings: a wrong expression, or a prefix without a namespace.
    public override var configurationProblems: [String] { query.problems(namespaces) }

    /// Makes an unused step with the same query, namespaces, variables and options.
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
    /// Never called: a query says what it gives.
    @available(
        *, unavailable,
        message: "a query says what it gives: .elements(\"//a\"), .strings(\"//a\") and so on"
    )
    public convenience init(_ expression: String) { self.init(.nodes(expression)) }
}

extension XML.Query {
    /// What is wrong with the query, as the pipeline's check tells it.
    func problems(_ namespaces: [String: String]) -> [String] {
        do throws(XMLError) {
            try check(namespaces: namespaces)
            return []
        } catch {
            return ["the query \"\(expression)\" is wrong: \(error)"]
        }
    }
}
