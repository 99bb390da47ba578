import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Redaction {
    /// Returns the method and the redacted URL.
    func line(_ request: URLRequest) -> String {
        "\(request.httpMethod ?? "GET") \(request.url.map(text) ?? "no URL")"
    }
}
