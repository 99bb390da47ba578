public import Foundation
public import SteplinePipeline
public import SteplineRequests

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Pipeline {
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
