public import Foundation
public import SteplineJSON
public import SteplinePipeline

/// Parses the content's bytes into a `JSON` document; keeps the bytes.
///
/// The root may be any value unless the options forbid fragments. Empty data gives `.null`. Malformed input and
/// exceeded limits throw a `JSONError` with the place.
public final class JSONParseStep: BasicStep<Data, JSON>,
    @unchecked Sendable  // all stored properties are constant
{
    private let parsing: JSON.Options

    /// Creates a step that parses.
    public init(options: JSON.Options = .init()) {
        parsing = options
        super.init()
    }

    /// Creates an unused step with the same options.
    public override func makeCopy() -> any Step {
        let copy = JSONParseStep(options: parsing)
        copy.takeOptions(of: self)
        return copy
    }

    /// Parses.
    public override func process(_ data: Data) throws -> JSON {
        data.isEmpty ? .null : try JSON(parsing: data, options: parsing)
    }
}
