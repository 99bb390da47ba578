public import Foundation
import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends the request created by the previous step, and loads the response into the content's bytes.
///
/// Everything else is as with ``URLLoadStep``. As the URL may come from outside, only http and https are
/// allowed unless other `schemes` are named.
public final class URLRequestStep: URLStep<URLRequest, Data>, @unchecked Sendable {
    private init(_ load: NetworkLoad) {
        super.init(
            load, from: .body, to: .bodyData, readsInput: true, copy: { URLRequestStep(load) }
        ) { context, bag in
            do {
                load.run(try bag.value(for: ContentKey<URLRequest>.body), in: context, bag)
            } catch {
                context.finish(throwing: error)
            }
        }
    }

    /// Makes a step; over a session of one's own if one is given.
    public convenience init(
        session: URLSession? = nil, schemes: Set<String> = ["http", "https"], options: LoadOptions = .init()
    ) {
        var options = options
        options.schemes = schemes
        self.init(NetworkLoad(request: nil, session: session, options: options))
    }
}
