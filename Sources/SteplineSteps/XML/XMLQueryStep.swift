import SteplinePipeline
public import SteplineXML

/// Evaluates an XPath 1.0 query on a document.
///
///     Pipeline { FileLoadStep(file); XMLParseStep(); XMLQueryStep(.strings("//item/title")) }
///
/// No match is an empty list or nil, not a failure; a runaway query ends in `.limit`. The pipeline's check finds
/// a wrong expression and a prefix that `namespaces` doesn't bind.
public final class XMLQueryStep<R: Sendable>: ReadyMadeStep<XML.Document, R>, @unchecked Sendable {
    /// Makes a step for a query; `namespaces` maps its prefixes to URIs, `variables` its `$names` to values.
    public init(
        _ query: XML.Query<R>, namespaces: [String: String] = [:], variables: [String: XML.Value] = [:]
    ) {
        super.init(
            problems: query.problems(namespaces),
            copy: { XMLQueryStep(query, namespaces: namespaces, variables: variables) }
        ) { document, _ in
            try document.query(query, namespaces: namespaces, variables: variables)
        }
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
