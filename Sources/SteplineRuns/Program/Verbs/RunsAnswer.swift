import Foundation

/// The output of a verb.
package struct RunsAnswer: Sendable, Equatable {
    /// The text for standard output.
    package var output: String
    /// The exit status: 0, or 1 if the request had no effect.
    package var code: Int32 = 0

    package init(_ output: String, code: Int32 = 0) {
        self.output = output
        self.code = code
    }

    /// Creates an answer of text lines.
    init(lines: [String], code: Int32 = 0) {
        self.init(lines.map { $0 + "\n" }.joined(), code: code)
    }

    /// Creates an answer of one line of JSON.
    init(json value: some Encodable, code: Int32 = 0) throws {
        self.init(try RunsText.json(value) + "\n", code: code)
    }
}
