/// Which redirects are followed.
///
/// None is ever followed to another scheme than http and https. On the way to another origin (scheme, host
/// and port) the headers `Authorization`, `Proxy-Authorization`, `Cookie` and `Host` are left out, and those that
/// ``LoadOptions/sensitiveHeaders`` names. One that names no place that can be read is an error.
public struct RedirectPolicy: Sendable, Hashable {
    enum Reach: Sendable, Hashable { case anywhere, origin, nowhere }

    let reach: Reach
    let limit: Int
    let allowsInsecure: Bool

    /// At most so many in a row; from https to http only if that is allowed.
    public static func follow(limit: Int = 10, allowingInsecure: Bool = false) -> RedirectPolicy {
        RedirectPolicy(reach: .anywhere, limit: limit, allowsInsecure: allowingInsecure)
    }

    /// At most so many in a row, and only within the origin; one that leads elsewhere is an error.
    public static func followWithinOrigin(limit: Int = 10) -> RedirectPolicy {
        RedirectPolicy(reach: .origin, limit: limit, allowsInsecure: false)
    }

    /// None: the 3xx itself is the response.
    public static let refuse = RedirectPolicy(reach: .nowhere, limit: 0, allowsInsecure: false)
}
