public import Foundation

/// Why an authenticator made no refresh.
public struct URLAuthenticatorError: LocalizedError, Hashable, CustomStringConvertible, Sendable {
    /// The kinds of failure; more may be added.
    public struct Code: Sendable, Hashable {
        let phrase: String

        /// There were five refreshes within half a minute.
        public static let tooManyRefreshes = Code(phrase: "has refreshed five times within 30 s")
    }

    /// What kind of failure it is.
    public let code: Code
    /// The authenticator's name.
    public let authenticator: String

    /// One readable line.
    public var description: String { "\(authenticator) \(code.phrase)" }

    /// The same line.
    public var errorDescription: String? { description }
}
