import SteplineSupport

/// Builds a document's ``QueryTree`` once, when it is first asked for.
///
/// Who asks meanwhile waits for it, rather than build a second one.
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
