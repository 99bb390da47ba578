import Foundation

#if canImport(FoundationNetworking)
    /// An operation queue that runs operations at once, on the calling thread.
    ///
    /// Foundation's session on Linux passes each piece of a body to its delegate's queue and continues reading. With a
    /// slow delegate the pieces accumulate in memory, and nothing can pause the session. Running the delegate on the
    /// session's thread slows the session down to the delegate's speed, and saves two thread switches per piece.
    final class InlineQueue: OperationQueue, @unchecked Sendable {  // has no state of its own
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
#endif
