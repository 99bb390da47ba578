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
            // A suspended queue keeps a cancelled operation: the task doesn't wait for its release.
            drop()
        }

        // A queue that is freed releases its operations without a cancel.
        deinit { drop() }

        private func take() -> ReadyWork? {
            // `main`, `cancel` and `deinit` may come on three threads. The first one takes the work.
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
