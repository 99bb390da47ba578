package import Foundation
package import SteplineTesting

/// A response that no correct server sends, with the expected end of its load.
package struct HostileAnswer: Sendable {
    /// The expected end of a load.
    package enum End: Sendable {
        /// A typed error.
        case failure
        /// A success with these bytes.
        case success(String)
        /// A typed error or a success: implementations may differ.
        case either
    }

    /// The defect in a few words; unique.
    package let name: String
    package let end: End
    let response: LoopbackResponse

    init(_ name: String, _ end: End, _ response: LoopbackResponse) {
        self.name = name
        self.end = end
        self.response = response
    }

    init(_ name: String, _ end: End, _ text: String) {
        self.init(name, end, .raw(head: text))
    }

    /// All responses, more than 150.
    package static let all: [HostileAnswer] =
        cuts + lines + lengths + chunks + statuses + headers + encodings + redirects + endings

    /// A complete response, line by line, from which others are derived.
    static let whole = [
        "HTTP/1.1 200 OK\r\n", "Content-Type: text/plain\r\n", "Content-Length: 5\r\n",
        "Connection: close\r\n",
        "\r\n", "hello",
    ]
}

extension LoopbackServer {
    /// Serves a hostile response at its own path, which contains its number.
    package func route(_ answer: HostileAnswer, number: Int) -> URL {
        route("/hostile/\(number)", answer.response)
        return url("/hostile/\(number)")
    }
}
