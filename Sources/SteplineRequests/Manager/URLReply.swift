public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What came of a request: bytes or a file, and the last response.
public struct URLReply: Sendable {
    /// The body; empty if it went into a file.
    public let data: Data
    /// The file that the body went into.
    public let file: URL?
    /// The response, where redirects have led.
    public let response: URLResponse
    /// How long it took, and how much came.
    public internal(set) var metrics = URLTaskMetrics()

    package init(data: Data = Data(), file: URL? = nil, response: URLResponse) {
        self.data = data
        self.file = file
        self.response = response
    }

    /// The status; nil if it isn't a response of HTTP.
    public var statusCode: Int? { (response as? HTTPURLResponse)?.statusCode }
}

extension URLReply: CustomStringConvertible, CustomReflectable {
    /// The status and the size: never the body, nor a header.
    public var description: String {
        let size = file.map { "in \($0.lastPathComponent)" } ?? "\(data.count) bytes"
        return "\(statusCode.map { "status \($0), " } ?? "")\(size)"
    }

    /// Nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
