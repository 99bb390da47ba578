public import Foundation
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends the content's bytes to a URL, and replaces them by the response.
///
/// The method is `POST` unless the request has another one. Otherwise like ``URLLoadStep``, whose option
/// `LoadOptions.body` sends a file, JSON, or another entry of the content.
public final class URLUploadStep: StepOperation, TypedStep,
    @unchecked Sendable  // all stored properties are constant
{
    private let load: NetworkLoad

    /// Creates a step that uploads to a URL.
    public convenience init(to url: URL, options: LoadOptions = .init()) {
        self.init(URLRequest(url: url), options: options)
    }

    /// Creates a step that uploads with a request, optionally over a given session.
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

    /// The sent bytes.
    public var inputKey: ContentKey<Data> { .bodyData }

    /// The bytes of the response.
    public var outputKey: ContentKey<Data> { .bodyData }

    /// The entries that the step reads: the request body.
    public override var inputs: [AnyContentKey] { load.options.body.declared }

    /// The entries that the step writes: the bytes and the response.
    public override var outputs: [AnyContentKey] { [outputKey.erased] + load.outputs }

    /// The errors in the settings: a forbidden scheme, a background session.
    public override var configurationProblems: [String] { load.problems }

    /// Creates an unused step with the same request, session and options.
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
