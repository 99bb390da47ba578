import Foundation

/// Builds a document's ``QueryTree`` once, when it is first asked for.
final class QueryTreeCache: @unchecked Sendable {  // the lock protects `tree`
    private let lock = NSLock()
    private var tree: QueryTree?

    func tree(of storage: TreeStorage) -> QueryTree? {
        lock.lock()
        defer { lock.unlock() }
        if let tree { return tree }
        tree = LibXML.quietly { QueryTree(storage, root: 0) }
        return tree
    }
}
