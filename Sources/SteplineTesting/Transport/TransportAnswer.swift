public import Foundation

/// A response of a ``TransportDouble``.
///
///     .text("hello").header("ETag", "\"v1\"").after(.seconds(3))
///     .status(503).header("Retry-After", "10")
///     .data(bytes).dropping(after: 100)
public struct TransportAnswer: Sendable {
    enum End: Sendable {
        case whole
        /// The connection is lost after the given number of body bytes; below 0, before the response.
        case dropped(after: Int)
        case failed(any Error)
        case silent
    }

    var status = 200
    var headers: [String: String] = [:]
    var body = Data()
    var delay = Duration.zero
    var end = End.whole

    /// Returns a response with the given bytes.
    public static func data(_ body: Data, status: Int = 200) -> TransportAnswer {
        TransportAnswer(status: status, body: body)
    }

    /// Returns a response with the given text in UTF-8.
    public static func text(_ text: String, status: Int = 200) -> TransportAnswer {
        data(Data(text.utf8), status: status)
    }

    /// Returns a response without a body.
    public static func status(_ status: Int) -> TransportAnswer { TransportAnswer(status: status) }

    /// Returns a redirect to another place.
    public static func redirect(to place: String, status: Int = 302) -> TransportAnswer {
        TransportAnswer(status: status, headers: ["Location": place])
    }

    /// Returns a failure instead of a response.
    public static func failure(_ error: any Error) -> TransportAnswer { TransportAnswer(end: .failed(error)) }

    /// No response at all.
    public static let silence = TransportAnswer(end: .silent)

    /// Returns the response with another header.
    public func header(_ name: String, _ value: String) -> TransportAnswer {
        var answer = self
        answer.headers[name] = value
        return answer
    }

    /// Returns the response after a delay on the double's clock.
    public func after(_ delay: Duration) -> TransportAnswer {
        var answer = self
        answer.delay = delay
        return answer
    }

    /// Returns the response with the connection lost after the given number of body bytes; below 0, before the
    /// response.
    public func dropping(after bytes: Int = 0) -> TransportAnswer {
        var answer = self
        answer.end = .dropped(after: bytes)
        return answer
    }
}

/// The answer of a ``TransportDouble`` to a request that no rule matches.
package struct UnexpectedRequest: LocalizedError, Sendable {
    /// The method and the URL.
    package let request: String

    /// One readable line.
    package var errorDescription: String? { "no rule is for \(request)" }
}
