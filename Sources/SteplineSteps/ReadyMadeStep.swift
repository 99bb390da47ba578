public import Foundation
public import SteplinePipeline

/// The class behind the steps of this module whose body is a function.
///
/// A subclass passes its declarations and its body to the initializer, and overrides nothing.
public class ReadyMadeStep<Input: Sendable, Output: Sendable>: BasicStep<Input, Output>,
    @unchecked Sendable  // all that is stored is constant
{
    private let extraInputs: [AnyContentKey]
    private let files: [URL]
    private let problems: @Sendable () -> [String]
    private let copying: @Sendable () -> ReadyMadeStep
    private let body: @Sendable (Input, StepOperation) throws -> Output

    /// Makes a step; `copy` makes another one with the same settings, `body` gets the input and the step that runs.
    init(
        alsoReading extraInputs: [AnyContentKey] = [], producing files: [URL] = [],
        problems: @autoclosure @escaping @Sendable () -> [String] = [],
        copy: @escaping @Sendable () -> ReadyMadeStep,
        body: @escaping @Sendable (Input, StepOperation) throws -> Output
    ) {
        self.extraInputs = extraInputs
        self.files = files
        self.problems = problems
        copying = copy
        self.body = body
        super.init()
    }

    /// The input, and the response that it came with if the step looks for its charset or address there.
    public override final var inputs: [AnyContentKey] { super.inputs + extraInputs }

    /// The file that the step writes, if it writes one.
    public override final var produces: [URL] { files }

    /// The problems of the settings: a malformed path or query, a URL that isn't a file's.
    public override final var configurationProblems: [String] { problems() }

    /// Makes an unused step with the same settings and options.
    public override final func makeCopy() -> any Step {
        let copy = copying()
        copy.takeOptions(of: self)
        return copy
    }

    /// Runs the body.
    ///
    /// - Throws: The error of the body, which fails the step.
    public override final func process(_ input: Input) throws -> Output { try body(input, self) }
}
