import Foundation

/// What a verb over a store has to say.
package struct RunsAnswer: Sendable, Equatable {
    /// What goes to standard output.
    package var output: String
    /// What the process ends with: 0, or 1 if what was asked for was not to be had.
    package var code: Int32 = 0

    package init(_ output: String, code: Int32 = 0) {
        self.output = output
        self.code = code
    }

    /// Lines of text.
    init(lines: [String], code: Int32 = 0) {
        self.init(lines.map { $0 + "\n" }.joined(), code: code)
    }

    /// A value as one line of JSON.
    init(json value: some Encodable, code: Int32 = 0) throws {
        self.init(try RunsText.json(value) + "\n", code: code)
    }
}
