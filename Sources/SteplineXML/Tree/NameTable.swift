/// A name with its prefix and namespace.
struct QualifiedName: Sendable, Hashable {
    let local: String
    let prefix: String?
    let namespace: String?
    /// As it is written in the document.
    let qualified: String

    init(local: String, prefix: String? = nil, namespace: String? = nil) {
        self.local = local
        self.prefix = prefix
        self.namespace = namespace
        qualified = prefix.map { "\($0):\(local)" } ?? local
    }
}

/// The distinct names of a tree, by number.
final class NameTable: Sendable {
    let names: [QualifiedName]

    init(_ names: [QualifiedName]) { self.names = names }
}
