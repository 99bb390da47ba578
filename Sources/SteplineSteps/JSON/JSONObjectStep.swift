public import Foundation
public import SteplineJSON
public import SteplinePipeline

/// Parses the content's bytes into Foundation objects, which cast to `[String: Any]`, `[Any]`, `String` and others.
///
/// The root must be an object or an array unless the options allow fragments. Empty data gives nil, and so does a
/// root of `null` if fragments are allowed. `JSONParseStep` and `JSONDecodeStep` are faster and preserve all digits.
public final class JSONObjectStep: BasicStep<Data, (any Sendable)?>,
    @unchecked Sendable  // all stored properties are constant
{
    private let parsing: JSON.Options

    /// Creates a step that parses into Foundation objects.
    public init(options: JSON.Options = .init(allowsFragments: false)) {
        parsing = options
        super.init()
    }

    /// Creates an unused step with the same options.
    public override func makeCopy() -> any Step {
        let copy = JSONObjectStep(options: parsing)
        copy.takeOptions(of: self)
        return copy
    }

    /// Parses.
    public override func process(_ data: Data) throws -> (any Sendable)? {
        guard !data.isEmpty else { return nil }
        let json = try JSON(parsing: data, options: parsing)
        let object = json.foundationObject
        guard object != nil || json.isNull else {
            throw JSONError(.tooDeep, message: "Foundation's objects can't be nested that deep")
        }
        return object
    }
}
