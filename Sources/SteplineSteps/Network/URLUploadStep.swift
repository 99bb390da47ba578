public import Foundation
import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends the content's bytes to a URL, and replaces them by the response.
///
/// Sent as `POST` unless the request has a method. Everything else is as with ``URLLoadStep``, whose option
/// `LoadOptions.body` sends a file, JSON, or another entry of the bag.
public final class URLUploadStep: URLStep<Data, Data>, @unchecked Sendable {
    private init(_ load: NetworkLoad) {
        super.init(load, from: .bodyData, to: .bodyData, copy: { URLUploadStep(load) }) { context, bag in
            load.run(in: context, bag)
        }
    }

    /// Creates a step that uploads to a URL.
    public convenience init(to url: URL, options: LoadOptions = .init()) {
        self.init(URLRequest(url: url), options: options)
    }

    /// Makes a step that uploads with a request; over a session of one's own if one is given.
    public convenience init(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()
    ) {
        var options = options
        if options.body.isNone { options.body = .content(.bodyData) }
        self.init(NetworkLoad(request: request, session: session, options: options))
    }
}
