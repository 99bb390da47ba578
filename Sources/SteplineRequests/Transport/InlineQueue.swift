import Foundation

#if canImport(FoundationNetworking)
    /// A queue that runs what it is given at once, on the thread that gives it.
    ///
    /// Foundation's session on Linux hands each piece of a body to its delegate's queue and reads on: a delegate
    /// slower than the network has the body pile up in memory, and nothing can hold the session back. Called in
    /// place, the delegate itself holds it back, and two thread switches a piece are saved.
    final class InlineQueue: OperationQueue, @unchecked Sendable {  // has no state of its own
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
#endif
