public import SteplinePipeline

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension ContentKey where Value == URLResponse {
    /// The response of a load.
    public static var urlResponse: Self { .init("urlResponse") }
}

extension Content {
    /// The HTTP response of a load; nil for other schemes.
    public var httpURLResponse: HTTPURLResponse? {
        self[.urlResponse] as? HTTPURLResponse
    }
}
