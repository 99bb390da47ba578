import SteplineSupport

/// The path of records: `item`, `channel/item`, `/rss/channel/item`, `atom:entry`, `*`.
struct RecordPath: Sendable {
    struct Step: Sendable {
        /// The qualified name, or the local name if `namespace` is set.
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
        isAbsolute = path.begins(with: "/") && !path.begins(with: "//")
        steps = path.pathNames.suffix(64).map { part in
            guard let (prefix, local) = part.halves(at: ":"), let uri = namespaces[prefix], !prefix.isEmpty,
                !local.isEmpty
            else {
                return Step(name: part, namespace: nil)
            }
            return Step(name: local, namespace: uri)
        }
    }
}
