import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cancels a session's tasks, one after the other, from whatever thread and without waiting for it.
///
/// On Linux it can't be done in place: cancelling waits for the session's own queue, on which delegates are
/// called, and it needs the care that ``InlineQueue`` takes.
final class TaskCanceller: Sendable {
    private let cancelQueue = DispatchQueue(label: "stepline.transport.cancel")

    #if canImport(FoundationNetworking)
        private let delegates: InlineQueue

        init(_ delegates: InlineQueue) {
            self.delegates = delegates
        }

        func cancel(_ task: URLSessionTask) {
            cancelQueue.async { [delegates] in delegates.cancel(task) }
        }
    #else
        func cancel(_ task: URLSessionTask) {
            cancelQueue.async { task.cancel() }
        }
    #endif
}
