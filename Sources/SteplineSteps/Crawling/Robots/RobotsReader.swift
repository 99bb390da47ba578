import Foundation

/// Reads the lines of a robots.txt for one crawler.
///
/// A group begins with a `User-agent` line after a rule. Lines that RFC 9309 doesn't define, such as `Sitemap`, never
/// end a group. Two groups are collected: that of the crawler, and that of `*`.
struct RobotsReader {
    struct Group {
        /// The rules, of which at most one more than the limit is kept to show that the limit is exceeded.
        private(set) var rules: [RobotsRules.Rule] = []
        /// The longest of the delays.
        private(set) var delay: Duration?

        mutating func add(_ rule: RobotsRules.Rule) {
            if rules.count <= RobotsRules.maximumRules { rules.append(rule) }
        }

        mutating func add(_ other: Duration) { delay = max(delay ?? .zero, other) }
    }

    /// The largest number of sitemaps that are kept.
    private static let mostSitemaps = 1_000

    private let token: [UInt8]
    private var named = Group()
    private var general = Group()
    /// Whether a group names the crawler, also one without rules.
    private var isNamed = false

    /// Whether the current group is the crawler's, and whether it is that of `*`.
    private var current = (isNamed: false, isGeneral: false)
    /// Whether a rule has followed the last `User-agent` line.
    private var isAfterRule = true

    private(set) var sitemaps: [URL] = []

    init(agent: String) { token = Self.token(Array(agent.utf8)) }

    /// The group that counts for the crawler.
    var group: Group { isNamed ? named : general }

    mutating func read(_ data: Data) {
        var bytes = [UInt8](data.prefix(RobotsRules.maximumSize))
        if data.count > bytes.count {
            // A cut line could disallow more than the whole line does.
            let end = bytes.lastIndex { $0 == 10 || $0 == 13 } ?? 0
            bytes.removeSubrange(end...)
        }
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        for line in content.split(whereSeparator: { $0 == 10 || $0 == 13 }) { read(line: line) }
    }

    private mutating func read(line: ArraySlice<UInt8>) {
        let line = line.prefix { $0 != UInt8(ascii: "#") }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = Self.trimmed(line[(colon + 1)...])
        switch String(decoding: Self.trimmed(line[..<colon]).map(URLByte.lowercased), as: UTF8.self) {
        case "user-agent": startGroup(value)
        case "allow": add(value, allows: true)
        case "disallow": add(value, allows: false)
        case "crawl-delay": delay(String(decoding: value, as: UTF8.self))
        case "sitemap": addSitemap(String(decoding: value, as: UTF8.self))
        default: break
        }
    }

    private mutating func startGroup(_ value: ArraySlice<UInt8>) {
        if isAfterRule { current = (false, false) }
        isAfterRule = false
        let name = Self.token(Array(value))
        if name.elementsEqual("*".utf8) {
            current.isGeneral = true
        } else if !name.isEmpty, name == token {
            current.isNamed = true
            isNamed = true
        }
    }

    private mutating func add(_ value: ArraySlice<UInt8>, allows: Bool) {
        isAfterRule = true
        // A rule without a path matches nothing.
        guard !value.isEmpty, current.isNamed || current.isGeneral else { return }
        let rule = RobotsRules.Rule(pattern: PathPattern(value), allows: allows)
        if current.isNamed { named.add(rule) }
        if current.isGeneral { general.add(rule) }
    }

    private mutating func delay(_ value: String) {
        guard let seconds = Double(value), seconds.isFinite, seconds >= 0 else { return }
        let delay = Duration.seconds(min(seconds, 1e6))
        if current.isNamed { named.add(delay) }
        if current.isGeneral { general.add(delay) }
    }

    private mutating func addSitemap(_ value: String) {
        guard sitemaps.count < Self.mostSitemaps, let url = URL(string: value),
            ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host()?.isEmpty == false
        else { return }
        sitemaps.append(url)
    }

    /// Returns the product token at the beginning of a name, in lower case: `notes-bot` of `Notes-Bot/1.0 (+http://…)`.
    private static func token(_ name: [UInt8]) -> [UInt8] {
        name.drop(while: isBlank).prefix { !isBlank($0) && $0 != UInt8(ascii: "/") }.map(URLByte.lowercased)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = bytes.drop(while: isBlank)
        return start.prefix((start.lastIndex { !isBlank($0) } ?? start.startIndex - 1) + 1 - start.startIndex)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}
