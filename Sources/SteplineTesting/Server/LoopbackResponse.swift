public import Foundation

/// A response of the loopback server, with or without faults.
///
///     .text("hello")
///     .data(bytes).chunked().header("X-Count", "3")
///     .data(bytes).etag("\"v1\"").servingRanges()
///     .pattern(count: 1 << 20).fault(.reset(after: 1000))
public struct LoopbackResponse: Sendable {
    enum Framing: Sendable {
        case length
        case chunked(of: Int)
        case untilClose
    }

    /// The status code.
    package var status: Int

    /// The header lines, but for those about the body's length.
    package var headers: LoopbackHeaders

    /// The bytes behind the headers.
    package var body: LoopbackBody

    var framing = Framing.length
    var announcedLength: Int?
    var rawHead: Data?
    var fault: LoopbackFault?
    var delay = Duration.zero
    var servesRanges = false
    var isGzipped = false
    var closesConnection = false

    /// Makes a response.
    package init(status: Int = 200, headers: LoopbackHeaders = [:], body: LoopbackBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    // MARK: Making

    /// Returns a response with the given bytes.
    public static func data(
        _ data: Data, type: String = "application/octet-stream", status: Int = 200
    ) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: ["Content-Type": type], body: .data(data))
    }

    /// Returns a response with the given text in UTF-8.
    public static func text(
        _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200
    ) -> LoopbackResponse {
        data(Data(text.utf8), type: type, status: status)
    }

    /// A response of so many made-up bytes, of which byte n is `UInt8(n % 251)`; without end if `count` is nil.
    public static func pattern(count: Int?) -> LoopbackResponse {
        let response = LoopbackResponse(
            headers: ["Content-Type": "application/octet-stream"], body: .pattern(count: count))
        return count == nil ? response.chunked() : response
    }

    /// Returns a response without a body.
    public static func status(_ status: Int) -> LoopbackResponse { LoopbackResponse(status: status) }

    /// Returns a redirect to a relative or absolute place.
    public static func redirect(to place: String, status: Int = 302) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: ["Location": place])
    }

    /// Bytes in place of the status line and all headers; the body follows them as it is.
    package static func raw(head: String, body: LoopbackBody = .empty) -> LoopbackResponse {
        raw(head: Data(head.utf8), body: body)
    }

    /// Bytes in place of the status line and all headers, which needn't be text.
    package static func raw(head: Data, body: LoopbackBody = .empty) -> LoopbackResponse {
        var response = LoopbackResponse(body: body)
        response.rawHead = head
        response.closesConnection = true
        return response
    }
}
