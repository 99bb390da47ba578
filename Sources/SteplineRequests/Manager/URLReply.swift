public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The result of a request: the bytes or a file, and the final response.
public struct URLReply: Sendable {
    /// The body; empty if it was written to a file.
    public let data: Data
    /// The file with the body.
    public let file: URL?
    /// The response; after redirects the last one.
    public let response: URLResponse
    /// The duration and the transferred bytes.
    public internal(set) var metrics = URLTaskMetrics()

    package init(data: Data = Data(), file: URL? = nil, response: URLResponse) {
        self.data = data
        self.file = file
        self.response = response
    }

    /// The status; nil if the response isn't HTTP.
    public var statusCode: Int? { (response as? HTTPURLResponse)?.statusCode }
}

extension URLReply: CustomStringConvertible, CustomReflectable {
    /// The status and the size, without body and headers.
    public var description: String {
        let size = file.map { "in \($0.lastPathComponent)" } ?? "\(data.count) bytes"
        return "\(statusCode.map { "status \($0), " } ?? "")\(size)"
    }

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
