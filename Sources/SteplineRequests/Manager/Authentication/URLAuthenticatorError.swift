public import Foundation
public import SteplineSupport

/// The reason why an authenticator didn't refresh.
public struct URLAuthenticatorError: LocalizedError, ErrorWithCause, CustomStringConvertible, Sendable {
    /// The kinds of failure; later versions may add further kinds.
    public struct Code: Sendable, Hashable {
        let phrase: String

        /// A sixth refresh was needed within 30 seconds; refreshes that failed or were given up count too.
        public static let tooManyRefreshes = Code(phrase: "has refreshed five times within 30 s")
    }

    /// The kind of failure.
    public let code: Code
    /// The authenticator's name.
    public let authenticator: String
    /// The error of the last refresh; nil if it succeeded.
    public let underlying: (any Error)?

    /// The error as a single line, with the cause.
    public var description: String {
        let cause = underlying.map { ", last with an error: \(ErrorText.line($0))" } ?? ""
        return "\(authenticator) \(code.phrase)\(cause)"
    }

    /// The error as a single line.
    public var errorDescription: String? { description }
}
