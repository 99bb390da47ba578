/// The redirects that are followed.
///
/// Only redirects to http and https are followed. A redirect to another origin (scheme, host and port) loses the
/// headers `Authorization`, `Proxy-Authorization`, `Cookie`, `Host` and those in ``LoadOptions/sensitiveHeaders``. A
/// redirect without a readable location is an error.
public struct RedirectPolicy: Sendable, Hashable {
    enum Reach: Sendable, Hashable { case anywhere, origin, nowhere }

    let reach: Reach
    let limit: Int
    let allowsInsecure: Bool

    /// Follows redirects.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of redirects in a row.
    ///   - allowingInsecure: Whether redirects from https to http are followed.
    /// - Returns: The policy.
    public static func follow(limit: Int = 10, allowingInsecure: Bool = false) -> RedirectPolicy {
        RedirectPolicy(reach: .anywhere, limit: limit, allowsInsecure: allowingInsecure)
    }

    /// Follows redirects within the origin; a redirect to another origin is an error.
    public static func followWithinOrigin(limit: Int = 10) -> RedirectPolicy {
        RedirectPolicy(reach: .origin, limit: limit, allowsInsecure: false)
    }

    /// Follows no redirect: the 3xx is the response.
    public static let refuse = RedirectPolicy(reach: .nowhere, limit: 0, allowsInsecure: false)
}
