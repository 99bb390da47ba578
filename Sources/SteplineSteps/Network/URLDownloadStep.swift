public import Foundation
import SteplinePipeline
import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Downloads a URL into a file, whose URL is the output.
///
/// The bytes are written to a hidden neighbour, which is moved into place when it is complete: the file is the
/// old or the new one, whole. Missing directories are made. Memory doesn't depend on the size. Everything else
/// is as with ``URLLoadStep``; the body of a refused status goes into the error, never into the file.
public final class URLDownloadStep: URLStep<Void, URL>, @unchecked Sendable {
    private init(_ load: NetworkLoad, _ file: URL, _ options: DownloadOptions) {
        super.init(
            load, from: .nothing, to: .body, file: file, copy: { URLDownloadStep(load, file, options) }
        ) { context, bag in
            let clock = context.clock
            load.download(
                in: context, bag,
                prepare: { plan in
                    try FileError.inCalls {
                        let place = try FilePlace(
                            file.pathOfFile(), makingFolder: true, followingLinks: options.followsLinks)
                        let old = try place.existingStatus()
                        let revalidation = Revalidation(
                            &plan, clock: clock, file: place.path, fileMark: old?.mark)
                        return (try DownloadSink(file, place, options, &plan), revalidation)
                    }
                },
                store: { result, bag in
                    bag[ContentKey<URL>.body] = result.value.url
                    bag.keep(result.received)
                })
        }
    }

    /// Creates a step that downloads a URL.
    public convenience init(_ url: URL, to file: URL, options: DownloadOptions = .init()) {
        self.init(URLRequest(url: url), to: file, options: options)
    }

    /// Makes a step that downloads what a request brings; over a session of one's own if one is given.
    public convenience init(
        _ request: URLRequest, to file: URL, session: URLSession? = nil, options: DownloadOptions = .init()
    ) {
        self.init(NetworkLoad(request: request, session: session, options: options.load), file, options)
    }
}
