public import Foundation
public import SteplineManager
public import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension URLTaskManager {
    /// Sends a request whose answer goes into a file, and waits for its reply, which names the file.
    ///
    /// The file is the old or the new one, whole; with `resumes` a part outlives a failure, and the next attempt
    /// asks for the rest. Throws as `data(for:)` does. Answers aren't kept for revalidation.
    public func download(
        _ request: URLRequest, to file: URL, options: DownloadOptions = .init(),
        adding: TaskManager.AddOptions = .init()
    ) async throws -> URLReply {
        let loading = URLTaskLoading { plan, transport, clock, report, complete in
            let sink = try FileError.inCalls {
                let place = try FilePlace(
                    file.pathOfFile(), makingFolder: true, followingLinks: options.followsLinks)
                return try DownloadSink(file, place, options, &plan)
            }
            return URLTaskLoading.start(plan, sink, transport, clock, report, complete) {
                URLReply(file: $0.value.url, response: $0.response)
            }
        }
        let handle = add(request, load: options.load, loading: loading, options: adding)
        return try await handle.valueOfRun
    }

    /// Loads what a URL names into a file, and waits for its reply.
    public func download(
        _ url: URL, to file: URL, options: DownloadOptions = .init(), adding: TaskManager.AddOptions = .init()
    ) async throws -> URLReply {
        try await download(URLRequest(url: url), to: file, options: options, adding: adding)
    }
}
