public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Parses the content's bytes into an `XML.Document`; keeps the bytes.
///
/// The encoding comes from a byte order mark, the options, the response, the declaration, or is UTF-8. Malformed or
/// empty input and exceeded limits throw an `XMLError` with the place, unless the options are lenient. External
/// entities are never loaded.
public final class XMLParseStep: BasicStep<Data, XML.Document>,
    @unchecked Sendable  // all stored properties are constant
{
    private let parsing: XML.Options

    /// Creates a step that parses.
    public init(options: XML.Options = .init()) {
        parsing = options
        super.init()
    }

    /// The bytes, and the response if there is one.
    public override var inputs: [AnyContentKey] { super.inputs + [.possibleResponse] }

    /// Creates an unused step with the same options.
    public override func makeCopy() -> any Step {
        let copy = XMLParseStep(options: parsing)
        copy.takeOptions(of: self)
        return copy
    }

    /// Parses.
    public override func process(_ data: Data) throws -> XML.Document {
        try XML.Document(data: data, options: parsing.filled(from: content))
    }
}
