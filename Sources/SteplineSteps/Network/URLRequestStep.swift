public import Foundation
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends the request that the step before made, and puts what it brings into the bag's bytes.
///
/// Everything else is as with ``URLLoadStep``. As the URL may come from outside, only http and https are
/// allowed unless other `schemes` are named.
public final class URLRequestStep: StepOperation, TypedStep,
    @unchecked Sendable  // all that is stored is constant
{
    private let load: NetworkLoad

    /// Makes a step; over a session of one's own if one is given.
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

    /// The bytes that are loaded.
    public var outputKey: ContentKey<Data> { .bodyData }

    /// The entries the step reads: the request, and the body to be sent, if it is an entry of the bag.
    public override var inputs: [AnyContentKey] { [inputKey.erased] + load.options.body.declared }

    /// The entries the step writes: the bytes and the response.
    public override var outputs: [AnyContentKey] { [outputKey.erased] + load.outputs }

    /// What is wrong with the settings: a background session.
    public override var configurationProblems: [String] { load.problems }

    /// Makes an unused step with the same session and options.
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
