package import Dispatch

/// Where a callback wants to run: on a queue it names, or where the work ended.
package struct CallbackContext: Sendable, Hashable {
    package let queue: DispatchQueue?

    package init(_ queue: DispatchQueue?) {
        self.queue = queue
    }

    /// Runs `work` there: at once on this thread if no queue is named, else on the queue without waiting.
    package func perform(_ work: @escaping @Sendable () -> Void) {
        guard let queue else { return work() }
        queue.async(execute: work)
    }

    package static func == (left: CallbackContext, right: CallbackContext) -> Bool {
        left.queue === right.queue
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(queue.map(ObjectIdentifier.init))
    }
}
