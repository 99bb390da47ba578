package import Foundation
package import SteplineTesting

/// An answer as no honest server gives it, and what is to become of it.
package struct HostileAnswer: Sendable {
    /// What a load of it is to end with.
    package enum End: Sendable {
        /// A typed error.
        case failure
        /// These bytes.
        case success(String)
        /// A typed error or a success: implementations may differ.
        case either
    }

    /// What is wrong with it, in a few words; unique.
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

    /// All of them, more than 150.
    package static let all: [HostileAnswer] =
        cuts + lines + lengths + chunks + statuses + headers + encodings + redirects + endings

    /// A whole answer, line by line, of which others are made.
    static let whole = [
        "HTTP/1.1 200 OK\r\n", "Content-Type: text/plain\r\n", "Content-Length: 5\r\n",
        "Connection: close\r\n",
        "\r\n", "hello",
    ]
}

extension LoopbackServer {
    /// Gives a hostile answer at a path of its own, whose number it is.
    package func route(_ answer: HostileAnswer, number: Int) -> URL {
        route("/hostile/\(number)", answer.response)
        return url("/hostile/\(number)")
    }
}
