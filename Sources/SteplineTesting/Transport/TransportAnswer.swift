public import Foundation

/// What a ``TransportDouble`` answers a request with.
///
///     .text("hello").header("ETag", "\"v1\"").after(.seconds(3))
///     .status(503).header("Retry-After", "10")
///     .data(bytes).dropping(after: 100)
public struct TransportAnswer: Sendable {
    enum End: Sendable {
        case whole
        /// So many bytes of the body come; the response only if it is at least none.
        case dropped(after: Int)
        case failed(any Error)
        case silent
    }

    var status = 200
    var headers: [String: String] = [:]
    var body = Data()
    var delay = Duration.zero
    var end = End.whole

    /// A response with these bytes.
    public static func data(_ body: Data, status: Int = 200) -> TransportAnswer {
        TransportAnswer(status: status, body: body)
    }

    /// A response with this text, in UTF-8.
    public static func text(_ text: String, status: Int = 200) -> TransportAnswer {
        data(Data(text.utf8), status: status)
    }

    /// A response without a body.
    public static func status(_ status: Int) -> TransportAnswer { TransportAnswer(status: status) }

    /// A redirect to another place.
    public static func redirect(to place: String, status: Int = 302) -> TransportAnswer {
        TransportAnswer(status: status, headers: ["Location": place])
    }

    /// A failure in place of a response.
    public static func failure(_ error: any Error) -> TransportAnswer { TransportAnswer(end: .failed(error)) }

    /// No answer at all.
    public static let silence = TransportAnswer(end: .silent)

    /// The same with another header.
    public func header(_ name: String, _ value: String) -> TransportAnswer {
        var answer = self
        answer.headers[name] = value
        return answer
    }

    /// The same, but not before so much time has passed on the double's clock.
    public func after(_ delay: Duration) -> TransportAnswer {
        var answer = self
        answer.delay = delay
        return answer
    }

    /// The same, but the connection is lost after so many bytes of the body; before the response if below 0.
    public func dropping(after bytes: Int = 0) -> TransportAnswer {
        var answer = self
        answer.end = .dropped(after: bytes)
        return answer
    }
}

/// What a ``TransportDouble`` says to a request that no rule is for.
package struct UnexpectedRequest: LocalizedError, Sendable {
    /// The method and the URL.
    package let request: String

    /// One readable line.
    package var errorDescription: String? { "no rule is for \(request)" }
}
