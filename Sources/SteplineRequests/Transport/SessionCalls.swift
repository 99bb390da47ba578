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

/// Makes and cancels a session's tasks, one after the other, for whatever thread and without having it wait.
///
/// On Linux it can't be done in place: both wait for one queue of all the process's sessions, on which delegates are
/// called. One that takes its time there, over a slow disk or a caller's lock, would have who asks wait as long, and
/// for ever if it needs the very thread that asks.
final class SessionCalls: Sendable {
    private let queue = DispatchQueue(label: "stepline.transport.calls")
    /// The task that is being cancelled now; 0 for none.
    private let current = Atomic(0)

    #if canImport(FoundationNetworking)
        /// Makes a task, behind what was asked for before.
        func make(_ make: @escaping @Sendable () -> Void) {
            queue.async(execute: make)
        }
    #endif

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
