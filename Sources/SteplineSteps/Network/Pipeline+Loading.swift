public import Foundation
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Pipeline where Output == Data {
    /// A pipeline that loads a URL; it isn't started, and more steps can be added.
    public static func loading(
        _ url: URL, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        loading(URLRequest(url: url), session: session, options: options)
    }

    /// A pipeline that sends a request and loads the answer; it isn't started, and more steps can be added.
    public static func loading(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init()
    ) -> Pipeline {
        Pipeline("loading") { URLLoadStep(request, session: session, options: options) }
    }

    /// A pipeline that reads a file; it isn't started, and more steps can be added.
    public static func loadingFile(_ file: URL, options: Data.ReadingOptions = []) -> Pipeline {
        Pipeline("loading") { FileLoadStep(file, options: options) }
    }
}

extension Pipeline where Output == URL {
    /// A pipeline that downloads a URL into a file; it isn't started, and more steps can be added.
    public static func downloading(
        _ url: URL, to file: URL, session: URLSession? = nil, options: DownloadOptions = .init()
    ) -> Pipeline {
        downloading(URLRequest(url: url), to: file, session: session, options: options)
    }

    /// A pipeline that downloads what a request brings into a file; it isn't started, and more steps can be added.
    public static func downloading(
        _ request: URLRequest, to file: URL, session: URLSession? = nil, options: DownloadOptions = .init()
    ) -> Pipeline {
        Pipeline("downloading") { URLDownloadStep(request, to: file, session: session, options: options) }
    }
}
