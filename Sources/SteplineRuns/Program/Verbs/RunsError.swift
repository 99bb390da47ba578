import protocol Foundation.LocalizedError

/// Why a verb over a store can't be done.
package struct RunsError: LocalizedError, CustomStringConvertible {
    /// One readable line.
    package let description: String
    /// Whether what was asked for can't be understood, rather than done.
    package let isUsage: Bool

    package init(_ description: String, isUsage: Bool = false) {
        self.description = description
        self.isUsage = isUsage
    }

    package var errorDescription: String? { description }
}
