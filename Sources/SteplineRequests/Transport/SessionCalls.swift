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

/// A serial queue that creates and cancels a session's tasks, so callers never wait.
///
/// On Linux both operations wait for a queue that all sessions of the process share, on which delegates are called. A
/// delegate that is slow or blocked would delay the caller as long. If the delegate needs the caller's thread, both
/// would be blocked forever.
final class SessionCalls: Sendable {
    private let queue = DispatchQueue(label: "stepline.transport.calls")
    /// The task that is being cancelled; 0 for none.
    private let current = Atomic(0)

    #if canImport(FoundationNetworking)
        /// Creates a task, after all earlier calls.
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
        /// Waits until a concurrent `cancel()` of the task has returned; called before the task's end is recorded.
        ///
        /// Foundation cancels in two steps, the second one through a queue, and ends the process if the task was
        /// forgotten in between. In the state `canceling` the first step is done. Once `cancel()` has returned, the
        /// second step is in the queue, before the step that forgets the task. The wait is short.
        func letCancelReturn(_ task: URLSessionTask) {
            guard task.state == .canceling else { return }
            while current.load(ordering: .sequentiallyConsistent) == task.taskIdentifier { sched_yield() }
        }
    #endif
}
