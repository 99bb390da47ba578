public import Foundation
public import SteplinePipeline
import SteplineRequests

/// The class behind the steps that send a request.
///
/// A subclass passes its request and its keys to the initializer, and overrides nothing.
public class URLStep<Input: Sendable, Output: Sendable>: StepOperation, TypedStep,
    @unchecked Sendable  // all that is stored is constant
{
    /// The entry that is read: the request or the bytes to be sent; otherwise nothing.
    public final let inputKey: ContentKey<Input>

    /// The entry that is written: the bytes that are loaded, or the URL of the file.
    public final let outputKey: ContentKey<Output>

    private let load: NetworkLoad
    private let readsInput: Bool
    private let file: URL?
    private let copying: @Sendable () -> URLStep
    private let run: @Sendable (StepContext, Content) -> Void

    /// Makes a step; `copy` makes another one with the same settings, `run` begins the load.
    init(
        _ load: NetworkLoad, from inputKey: ContentKey<Input>, to outputKey: ContentKey<Output>,
        readsInput: Bool = false, file: URL? = nil, copy: @escaping @Sendable () -> URLStep,
        run: @escaping @Sendable (StepContext, Content) -> Void
    ) {
        self.load = load
        self.inputKey = inputKey
        self.outputKey = outputKey
        self.readsInput = readsInput
        self.file = file
        copying = copy
        self.run = run
        super.init()
        startsOnly = file == nil && load.startsOnly
    }

    /// The entries the step reads: the request if a step before makes it, and the body to be sent if it is an entry.
    public override final var inputs: [AnyContentKey] {
        (readsInput ? [inputKey.erased] : []) + load.options.body.declared
    }

    /// The entries the step writes: the bytes or the URL of the file, and the response.
    public override final var outputs: [AnyContentKey] { [outputKey.erased] + load.outputs }

    /// The file that the step writes, if it writes one.
    public override final var produces: [URL] { file.map { [$0] } ?? [] }

    /// The problems of the settings: a scheme that isn't allowed, a background session, no file URL.
    public override final var configurationProblems: [String] {
        guard let file else { return load.problems }
        let uncached = load.options.cache == nil ? [] : ["a download isn't cached; load it, and save it"]
        return load.problems + uncached + file.problemsAsFile
    }

    /// Makes an unused step with the same request, session and options.
    public override final func makeCopy() -> any Step {
        let copy = copying()
        copy.takeOptions(of: self)
        return copy
    }

    /// Begins the load.
    public override final func main() { run(context, content) }
}
