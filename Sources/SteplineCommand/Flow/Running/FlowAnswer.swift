import Foundation
import SteplineJSON

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response as a value: `{ status, url, headers, body }`.
enum FlowAnswer {
    /// Returns the value; header names are in lower case, the body is a text, or null without one.
    static func value(of response: URLResponse?, _ body: Data) throws -> JSON {
        guard let response = response as? HTTPURLResponse else {
            throw FlowError("an answer has a status and headers by http and https only")
        }
        let headers = response.allHeaderFields.map { name, value in
            (key: "\(name)".lowercased(), value: JSON("\(value)"))
        }
        let text = String(validating: body, as: UTF8.self)
        return try JSON(members: [
            (key: "status", value: JSON(response.statusCode)),
            (key: "url", value: JSON(response.url?.absoluteString ?? "")),
            (key: "headers", value: try JSON(members: headers.sorted { $0.key < $1.key })),
            (key: "body", value: text.map { JSON($0) } ?? .null),
        ])
    }
}
