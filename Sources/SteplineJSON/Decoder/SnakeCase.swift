import Foundation

/// Converts `snake_case` to `camelCase` as Foundation's decoder does: leading and trailing underscores stay.
///
/// Conversions are cached, since documents have few different keys.
struct SnakeCase {
    /// The maximum number of cached keys; the cache is cleared beyond it.
    private static let limit = 1000

    private var known: [String: String] = [:]

    mutating func camelCased(_ key: String) -> String {
        if let known = known[key] { return known }
        if known.count >= SnakeCase.limit { known = [:] }
        let made = SnakeCase.converted(key)
        known[key] = made
        return made
    }

    private static func converted(_ key: String) -> String {
        guard key.contains("_"), let first = key.firstIndex(where: { $0 != "_" }),
            let last = key.lastIndex(where: { $0 != "_" })
        else { return key }
        let parts = key[first...last].split(separator: "_")
        guard parts.count > 1 else { return key }
        let words = parts.enumerated().map { $0 == 0 ? $1.lowercased() : $1.capitalized }
        return String(key[..<first]) + words.joined() + String(key[key.index(after: last)...])
    }
}
