import SteplineSupport

/// A name with its prefix and namespace.
struct QualifiedName: Sendable, Hashable {
    let local: String
    let prefix: String?
    let namespace: String?
    /// The name as written in the document.
    let qualified: String

    init(local: String, prefix: String? = nil, namespace: String? = nil) {
        self.local = local
        self.prefix = prefix
        self.namespace = namespace
        qualified = prefix.map { "\($0):\(local)" } ?? local
    }
}

/// The distinct names of a tree by number.
final class NameTable: Sendable {
    /// The numbers of names with a given qualified name, and with a given local name after a prefix.
    struct Numbers {
        var written: [Int] = []
        var local: [Int] = []
    }

    typealias Index = [String: Numbers]

    let names: [QualifiedName]
    private let made = Locked<Index?>(nil)

    init(_ names: [QualifiedName]) { self.names = names }

    /// The index from strings to numbers, built on first use.
    var index: Index {
        made.withLock { made in
            if let made { return made }
            var index: Index = [:]
            for (number, name) in names.enumerated() {
                index[name.qualified, default: Numbers()].written.append(number)
                if name.prefix != nil { index[name.local, default: Numbers()].local.append(number) }
            }
            made = index
            return index
        }
    }
}
