public import Foundation
public import SteplineManager
public import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension URLTaskManager {
    /// Sends a request, stores the response in a file, and returns a reply that names the file.
    ///
    /// Readers see the complete old or new file. With `resumes` a partial file survives a failure, and the next attempt
    /// requests the rest. Responses aren't stored for revalidation.
    ///
    /// - Throws: The errors of `data(for:)`, or a `FileError` if the file can't be written.
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

    /// Loads a URL into a file, and returns a reply that names the file.
    ///
    /// - Throws: The errors of ``download(_:to:options:adding:)``.
    public func download(
        _ url: URL, to file: URL, options: DownloadOptions = .init(), adding: TaskManager.AddOptions = .init()
    ) async throws -> URLReply {
        try await download(URLRequest(url: url), to: file, options: options, adding: adding)
    }
}
