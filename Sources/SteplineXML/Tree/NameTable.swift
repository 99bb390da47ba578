import SteplineSupport

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
    /// Which names are written in a way, and which have it for their local part after a prefix.
    struct Numbers {
        var written: [Int] = []
        var local: [Int] = []
    }

    typealias Index = [String: Numbers]

    let names: [QualifiedName]
    private let made = Locked<Index?>(nil)

    init(_ names: [QualifiedName]) { self.names = names }

    /// The numbers of names, made when it is first asked for.
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
