public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Reads the bag's bytes as an HTML page, mending what pages have wrong; the bytes stay in the bag.
///
/// What comes out is an `XML/Document` for the same queries as any other. The charset is that of a byte order
/// mark, of the options, of the response that the bytes came with, of `meta`, or UTF-8. Faults of the page are
/// listed in its `problems`; only limits, encodings and empty input are errors.
public final class HTMLParseStep: BasicStep<Data, XML.Document>,
    @unchecked Sendable  // all that is stored is constant
{
    private let parsing: XML.Options

    /// Makes a step that reads HTML.
    public init(options: XML.Options = .init()) {
        parsing = options
        super.init()
    }

    /// The bytes, and the response that they came with, if there is one.
    public override var inputs: [AnyContentKey] { super.inputs + [.possibleResponse] }

    /// Makes an unused step with the same options.
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
