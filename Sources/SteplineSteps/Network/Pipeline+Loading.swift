public import Foundation
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Pipeline where Output == Data {
    /// Returns an unstarted pipeline that loads a URL.
    public static func loading(
        _ url: URL, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        loading(URLRequest(url: url), session: session, options: options)
    }

    /// Returns an unstarted pipeline that sends a request and loads the response.
    public static func loading(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        Pipeline("loading") { URLLoadStep(request, session: session, options: options) }
    }

    /// Returns an unstarted pipeline that reads a file.
    public static func loadingFile(_ file: URL, options: Data.ReadingOptions = []) -> Pipeline {
        Pipeline("loading") { FileLoadStep(file, options: options) }
    }
}

extension Pipeline where Output == URL {
    /// Returns an unstarted pipeline that downloads a URL into a file.
    public static func downloading(
        _ url: URL, to file: URL, session: URLSession? = nil, options: DownloadOptions = .init()
    ) -> Pipeline {
        downloading(URLRequest(url: url), to: file, session: session, options: options)
    }

    /// Returns an unstarted pipeline that downloads the response to a request into a file.
    public static func downloading(
        _ request: URLRequest, to file: URL, session: URLSession? = nil, options: DownloadOptions = .init()
    ) -> Pipeline {
        Pipeline("downloading") { URLDownloadStep(request, to: file, session: session, options: options) }
    }
}
