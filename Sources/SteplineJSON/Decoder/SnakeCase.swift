/// `snake_case` to `camelCase`, as Foundation's decoder does it: underscores at either end stay.
enum SnakeCase {
    static func camelCased(_ key: String) -> String {
        guard key.contains("_"), let first = key.firstIndex(where: { $0 != "_" }),
            let last = key.lastIndex(where: { $0 != "_" })
        else { return key }
        let parts = key[first...last].split(separator: "_")
        guard parts.count > 1 else { return key }
        let words = parts.enumerated().map {
            $0 == 0 ? $1.lowercased() : $1.prefix(1).uppercased() + $1.dropFirst().lowercased()
        }
        return String(key[..<first]) + words.joined() + String(key[key.index(after: last)...])
    }
}
