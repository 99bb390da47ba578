import protocol Foundation.LocalizedError

/// The error of a verb.
package struct RunsError: LocalizedError, CustomStringConvertible {
    /// The message in one line.
    package let description: String
    /// Whether the command line is wrong, which gives exit status 2.
    package let isUsage: Bool

    package init(_ description: String, isUsage: Bool = false) {
        self.description = description
        self.isUsage = isUsage
    }

    package var errorDescription: String? { description }
}
