public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Parses the content's bytes as an HTML page, repairing errors; keeps the bytes.
///
/// The result is an `XML.Document` that supports the same queries as any other. The charset comes from a byte order
/// mark, the options, the response, `meta`, or is UTF-8. Errors in the page are listed in `problems`; only limits,
/// encodings and empty input throw.
public final class HTMLParseStep: BasicStep<Data, XML.Document>,
    @unchecked Sendable  // all stored properties are constant
{
    private let parsing: XML.Options

    /// Creates a step that parses HTML.
    public init(options: XML.Options = .init()) {
        parsing = options
        super.init()
    }

    /// The bytes, and the response if there is one.
    public override var inputs: [AnyContentKey] { super.inputs + [.possibleResponse] }

    /// Creates an unused step with the same options.
    public override func makeCopy() -> any Step {
        let copy = HTMLParseStep(options: parsing)
        copy.takeOptions(of: self)
        return copy
    }

    /// Parses.
    public override func process(_ data: Data) throws -> XML.Document {
        try XML.Document(html: data, options: parsing.filled(from: content))
    }
}
