public import Foundation
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Loads what a URL names into the bag's bytes, and its response beside them.
///
/// Fails with a `RequestError`. After a refused status (by default 400 and above) failure callbacks find the
/// body in `bodyData` and the response in `urlResponse`. Without a session of one's own all loads share one
/// that lives as long as the process, or on Linux libcurl's pool of connections. Cancelling stops the transfer:
/// the step has ended when `cancel()` returns.
public final class URLLoadStep: StepOperation, TypedStep,
    @unchecked Sendable  // all that is stored is constant
{
    private let load: NetworkLoad

    /// Makes a step that loads a URL.
    public convenience init(_ url: URL, options: LoadOptions = .init()) {
        self.init(URLRequest(url: url), options: options)
    }

    /// Makes a step that loads a URL by way of a cache.
    public convenience init(_ url: URL, cache: HTTPCache, options: LoadOptions = .init()) {
        var options = options
        options.cache = cache
        self.init(URLRequest(url: url), options: options)
    }

    /// Makes a step that sends a request; over a session of one's own if one is given.
    public init(_ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()) {
        load = NetworkLoad(request: request, session: session, options: options)
        super.init()
    }

    /// Makes a step whose request passes a manager's interceptors and reactors.
    ///
    /// After a refused status failure callbacks find the first MiB of the body.
    public init(
        _ request: URLRequest, through manager: URLTaskManager, options: LoadOptions = .init()
    ) {
        load = NetworkLoad(request: request, manager: manager, options: options)
        super.init()
    }

    /// Makes a step that loads a URL through a manager's interceptors and reactors.
    public convenience init(_ url: URL, through manager: URLTaskManager, options: LoadOptions = .init()) {
        self.init(URLRequest(url: url), through: manager, options: options)
    }

    private init(_ load: NetworkLoad) {
        self.load = load
        super.init()
    }

    /// Nothing is read but the body to be sent, if it is an entry of the bag.
    public var inputKey: ContentKey<Void> { .nothing }

    /// The bytes that are loaded.
    public var outputKey: ContentKey<Data> { .bodyData }

    /// The entries the step reads: the body to be sent, if it is an entry of the bag.
    public override var inputs: [AnyContentKey] { load.options.body.declared }

    /// The entries the step writes: the bytes and the response.
    public override var outputs: [AnyContentKey] { [outputKey.erased] + load.outputs }

    /// What is wrong with the settings: a scheme that isn't allowed, a background session.
    public override var configurationProblems: [String] { load.problems }

    /// Makes an unused step with the same request, session and options.
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
