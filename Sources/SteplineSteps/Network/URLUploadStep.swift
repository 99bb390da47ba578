public import Foundation
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends the bag's bytes to a URL, and puts the answer in their place.
///
/// Sent as `POST` unless the request has a method. Everything else is as with ``URLLoadStep``, whose option
/// `LoadOptions.body` sends a file, JSON, or another entry of the bag.
public final class URLUploadStep: StepOperation, TypedStep,
    @unchecked Sendable  // all that is stored is constant
{
    private let load: NetworkLoad

    /// Makes a step that uploads to a URL.
    public convenience init(to url: URL, options: LoadOptions = .init()) {
        self.init(URLRequest(url: url), options: options)
    }

    /// Makes a step that uploads with a request; over a session of one's own if one is given.
    public init(_ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()) {
        var options = options
        if options.body.isNone { options.body = .content(.bodyData) }
        load = NetworkLoad(request: request, session: session, options: options)
        super.init()
    }

    private init(_ load: NetworkLoad) {
        self.load = load
        super.init()
    }

    /// The bytes that are sent.
    public var inputKey: ContentKey<Data> { .bodyData }

    /// The bytes of the answer.
    public var outputKey: ContentKey<Data> { .bodyData }

    /// The entries the step reads: the body to be sent.
    public override var inputs: [AnyContentKey] { load.options.body.declared }

    /// The entries the step writes: the answer's bytes and the response.
    public override var outputs: [AnyContentKey] { [outputKey.erased] + load.outputs }

    /// What is wrong with the settings: a scheme that isn't allowed, a background session.
    public override var configurationProblems: [String] { load.problems }

    /// Makes an unused step with the same request, session and options.
    public override func makeCopy() -> any Step {
        let copy = URLUploadStep(load)
        copy.takeOptions(of: self)
        return copy
    }

    /// Uploads.
    public override func main() {
        load.run(in: context, content)
    }
}
