public import Foundation
public import SteplinePipeline
public import SteplineXML

/// Parses the bag's bytes into an `XML/Document`; the bytes stay in the bag.
///
/// The encoding is that of a byte order mark, of the options, of the response that the bytes came with, of the
/// declaration, or UTF-8. Malformed or empty input and every limit that is exceeded is an `XMLError` with its
/// place, unless the options are lenient. Nothing outside the bytes is ever loaded.
public final class XMLParseStep: BasicStep<Data, XML.Document>,
    @unchecked Sendable  // all that is stored is constant
{
    private let parsing: XML.Options

    /// Makes a step that parses.
    public init(options: XML.Options = .init()) {
        parsing = options
        super.init()
    }

    /// The bytes, and the response that they came with, if there is one.
    public override var inputs: [AnyContentKey] { super.inputs + [.possibleResponse] }

    /// Makes an unused step with the same options.
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
