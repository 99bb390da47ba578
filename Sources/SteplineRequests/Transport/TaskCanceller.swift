import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif
#endif

/// Cancels a session's tasks, one after the other, from whatever thread and without waiting for it.
///
/// On Linux it can't be done in place: cancelling waits for the session's own queue, on which delegates are called.
final class TaskCanceller: Sendable {
    private let queue = DispatchQueue(label: "stepline.transport.cancel")
    /// The task that is being cancelled now; 0 for none.
    private let current = Atomic(0)

    func cancel(_ task: URLSessionTask) {
        queue.async { [self] in
            current.store(task.taskIdentifier, ordering: .sequentiallyConsistent)
            task.cancel()
            current.store(0, ordering: .sequentiallyConsistent)
        }
    }

    #if canImport(FoundationNetworking)
        /// To be called before a task's end is taken note of.
        ///
        /// Foundation cancels in two strokes, the second by way of a queue, and ends the process if the task has been
        /// forgotten by then. A task that says it is being cancelled has had the first; once `cancel()` has
        /// returned the second is in the queue, ahead of what makes the session forget. That takes an instant.
        func letCancelReturn(_ task: URLSessionTask) {
            guard task.state == .canceling else { return }
            while current.load(ordering: .sequentiallyConsistent) == task.taskIdentifier { sched_yield() }
        }
    #endif
}
