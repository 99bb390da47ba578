/// Which elements are records: `item`, `channel/item`, `/rss/channel/item`, `atom:entry`, `*`.
struct RecordPath: Sendable {
    struct Step: Sendable {
        /// As written, or the local part if `namespace` is set.
        let name: String
        let namespace: String?

        func matches(_ candidate: QualifiedName) -> Bool {
            if name == "*" { return true }
            guard let namespace else { return candidate.qualified == name }
            return candidate.local == name && candidate.namespace == namespace
        }
    }

    let steps: [Step]
    /// Whether the first step is the root.
    let isAbsolute: Bool

    init(_ path: String, namespaces: [String: String] = [:]) {
        isAbsolute = path.hasPrefix("/") && !path.hasPrefix("//")
        steps = path.split(separator: "/").suffix(64).map { part in
            let parts = part.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let uri = namespaces[String(parts[0])] else {
                return Step(name: String(part), namespace: nil)
            }
            return Step(name: String(parts[1]), namespace: uri)
        }
    }
}
