public import SteplinePipeline

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension ContentKey where Value == URLResponse {
    /// The response that came with what was loaded from a URL.
    public static var urlResponse: Self { .init("urlResponse") }
}

extension Content {
    /// The response that came with what was loaded, if it is one of HTTP.
    public var httpURLResponse: HTTPURLResponse? {
        self[.urlResponse] as? HTTPURLResponse
    }
}
