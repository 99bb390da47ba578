import Foundation

/// The one place where a body is put in a queue that the user has given.
enum TaskQueue {
    /// Adds a body that may run now.
    static func add(to queue: OperationQueue, _ body: @escaping @Sendable () -> Void) {
        queue.addOperation(body)
    }
}
