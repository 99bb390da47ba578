import SteplineSupport

/// Builds the ``QueryTree`` of a document on first use.
///
/// Concurrent callers wait for it instead of building another one.
final class QueryTreeCache: Sendable {
    private let tree = Locked<QueryTree?>(nil)

    func tree(of storage: TreeStorage) -> QueryTree? {
        tree.withLock { tree in
            if let tree { return tree }
            tree = LibXML.quietly { QueryTree(storage, root: 0) }
            return tree
        }
    }
}
