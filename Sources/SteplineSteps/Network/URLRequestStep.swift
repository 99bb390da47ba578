public import Foundation
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends the request created by the previous step, and loads the response into the content's bytes.
///
/// Otherwise like ``URLLoadStep``. Only http and https are permitted unless other `schemes` are given, since the URL
/// may come from outside.
public final class URLRequestStep: StepOperation, TypedStep,
    @unchecked Sendable  // all stored properties are constant
{
    private let load: NetworkLoad

    /// Creates a step, optionally with a given session.
    public init(
        session: URLSession? = nil, schemes: Set<String> = ["http", "https"], options: LoadOptions = .init()
    ) {
        var options = options
        options.schemes = schemes
        load = NetworkLoad(request: nil, session: session, options: options)
        super.init()
    }

    private init(_ load: NetworkLoad) {
        self.load = load
        super.init()
    }

    /// The request.
    public var inputKey: ContentKey<URLRequest> { .body }

    /// The loaded bytes.
    public var outputKey: ContentKey<Data> { .bodyData }

    /// The entries that the step reads: the request, and the request body if it is an entry of the content.
    public override var inputs: [AnyContentKey] { [inputKey.erased] + load.options.body.declared }

    /// The entries that the step writes: the bytes and the response.
    public override var outputs: [AnyContentKey] { [outputKey.erased] + load.outputs }

    /// The errors in the settings: a background session.
    public override var configurationProblems: [String] { load.problems }

    /// Creates an unused step with the same session and options.
    public override func makeCopy() -> any Step {
        let copy = URLRequestStep(load)
        copy.takeOptions(of: self)
        return copy
    }

    /// Loads.
    public override func main() {
        let context = context
        let bag = content
        do {
            load.run(try bag.value(for: inputKey), in: context, bag)
        } catch {
            context.finish(throwing: error)
        }
    }
}
