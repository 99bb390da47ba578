public import Foundation
import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Loads a URL into the content's bytes, and stores the response.
///
/// Fails with a `RequestError`. After a refused status (by default 400 and above) failure callbacks find the
/// body in `bodyData` and the response in `urlResponse`. Without a session of one's own all loads share one
/// that lives as long as the process, or on Linux libcurl's pool of connections. Cancelling stops the transfer:
/// the step has ended when `cancel()` returns.
public final class URLLoadStep: URLStep<Void, Data>, @unchecked Sendable {
    private init(_ load: NetworkLoad) {
        super.init(load, from: .nothing, to: .bodyData, copy: { URLLoadStep(load) }) { context, bag in
            load.run(in: context, bag)
        }
    }

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

    /// Makes a step that sends a request; over a session of one's own if one is given.
    public convenience init(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()
    ) {
        self.init(NetworkLoad(request: request, session: session, options: options))
    }

    /// Creates a step whose request passes through a manager's interceptors and reactors.
    ///
    /// After a refused status failure callbacks find the first MiB of the body.
    public convenience init(
        _ request: URLRequest, through manager: URLTaskManager, options: LoadOptions = .init()
    ) {
        self.init(NetworkLoad(request: request, manager: manager, options: options))
    }

    /// Creates a step that loads a URL through a manager's interceptors and reactors.
    public convenience init(_ url: URL, through manager: URLTaskManager, options: LoadOptions = .init()) {
        self.init(URLRequest(url: url), through: manager, options: options)
    }
}
