public import Foundation

/// The reason why an authenticator didn't refresh.
public struct URLAuthenticatorError: LocalizedError, Hashable, CustomStringConvertible, Sendable {
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

    /// The error as a single line.
    public var description: String { "\(authenticator) \(code.phrase)" }

    /// The error as a single line.
    public var errorDescription: String? { description }
}
