import Foundation
import SteplineSupport

/// The one place where a body is put in an operation queue that the user has given.
enum TaskQueue {
    /// Adds a body that may run now.
    ///
    /// If the queue cancels or drops it, that is a cancellation of the task.
    static func add(_ work: ReadyWork, to queue: OperationQueue) { queue.addOperation(Job(work)) }

    private final class Job: Operation, @unchecked Sendable {  // the work is behind a lock
        private let work: Locked<ReadyWork?>

        init(_ work: ReadyWork) { self.work = Locked(work) }

        override func main() { take()?() }

        override func cancel() {
            super.cancel()
            drop()
        }

        deinit { drop() }

        private func take() -> ReadyWork? {
            work.withLock { work in
                defer { work = nil }
                return work
            }
        }

        private func drop() {
            guard let work = take() else { return }
            work.home.core.wasDropped(work.external)
        }
    }
}
