import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Redaction {
    /// The method and the URL.
    func line(_ request: URLRequest) -> String {
        "\(request.httpMethod ?? "GET") \(request.url.map(text) ?? "no URL")"
    }
}
