public import Foundation
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Loads a URL into the content's bytes, and stores the response.
///
/// Throws a `RequestError`. After a refused status (by default 400 and above), failure callbacks find the body in
/// `bodyData` and the response in `urlResponse`. Without a session of its own, a load uses a session shared by the
/// process, or libcurl's connection pool on Linux. Cancellation stops the transfer: the step has ended when
/// `cancel()` returns.
public final class URLLoadStep: StepOperation, TypedStep,
    @unchecked Sendable  // all stored properties are constant
{
    private let load: NetworkLoad

    /// Creates a step that loads a URL.
    public convenience init(_ url: URL, options: LoadOptions = .init()) {
        self.init(URLRequest(url: url), options: options)
    }

    /// Creates a step that loads a URL through a cache.
    public convenience init(_ url: URL, cache: HTTPCache, options: LoadOptions = .init()) {
        var options = options
        options.cache = cache
        self.init(URLRequest(url: url), options: options)
    }

    /// Creates a step that sends a request, optionally over a given session.
    public init(_ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()) {
        load = NetworkLoad(request: request, session: session, options: options)
        super.init()
    }

    /// Creates a step whose request passes through a manager's interceptors and reactors.
    ///
    /// After a refused status, failure callbacks find the first MiB of the body.
    public init(
        _ request: URLRequest, through manager: URLTaskManager, options: LoadOptions = .init()
    ) {
        load = NetworkLoad(request: request, manager: manager, options: options)
        super.init()
    }

    /// Creates a step that loads a URL through a manager's interceptors and reactors.
    public convenience init(_ url: URL, through manager: URLTaskManager, options: LoadOptions = .init()) {
        self.init(URLRequest(url: url), through: manager, options: options)
    }

    private init(_ load: NetworkLoad) {
        self.load = load
        super.init()
    }

    /// The input: nothing, except an entry of the content for the request body.
    public var inputKey: ContentKey<Void> { .nothing }

    /// The loaded bytes.
    public var outputKey: ContentKey<Data> { .bodyData }

    /// The entries that the step reads: the request body, if it is an entry of the content.
    public override var inputs: [AnyContentKey] { load.options.body.declared }

    /// The entries that the step writes: the bytes and the response.
    public override var outputs: [AnyContentKey] { [outputKey.erased] + load.outputs }

    /// The errors in the settings: a forbidden scheme, a background session.
    public override var configurationProblems: [String] { load.problems }

    /// Creates an unused step with the same request, session and options.
    public override func makeCopy() -> any Step {
        let copy = URLLoadStep(load)
        copy.takeOptions(of: self)
        return copy
    }

    /// Loads.
    public override func main() {
        load.run(in: context, content)
    }
}
