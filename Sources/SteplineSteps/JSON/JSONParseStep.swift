public import Foundation
public import SteplineJSON
public import SteplinePipeline

/// Parses the bag's bytes into a `JSON` document; the bytes stay in the bag.
///
/// Any value may stand on top, unless the options forbid it. Empty data is a success, and `.null`; anything
/// malformed or beyond a limit is a `JSONError` with its place.
public final class JSONParseStep: BasicStep<Data, JSON>,
    @unchecked Sendable  // all that is stored is constant
{
    private let parsing: JSON.Options

    /// Makes a step that parses.
    public init(options: JSON.Options = .init()) {
        parsing = options
        super.init()
    }

    /// Makes an unused step with the same options.
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
