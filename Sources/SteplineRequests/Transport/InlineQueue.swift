import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// A queue that runs what it is given at once, on the thread that gives it.
    ///
    /// Foundation's session on Linux hands each piece of a body to its delegate's queue and reads on: a delegate
    /// slower than the network has the body pile up in memory, and nothing can hold the session back. Called in
    /// place, the delegate itself holds it back, and two thread switches a piece are saved.
    final class InlineQueue: OperationQueue, @unchecked Sendable {  // all state is in `state`
        private struct State {
            /// Whether a task is being cancelled, so that everything has to wait.
            var isHeld = false
            var isDraining = false
            var waiting: [@Sendable () -> Void] = []
        }

        private let state = Locked(State())

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            let mustWait = state.withLock { state in
                guard state.isHeld || state.isDraining else { return false }
                state.waiting.append(block)
                return true
            }
            if !mustWait { block() }
        }

        /// Cancels a task; only ever called by one thread at a time, and never on the session's own queue.
        ///
        /// Foundation cancels in two strokes, and ends the process if the task's end has been told and the task
        /// been forgotten between them. So while it cancels nothing is told.
        func cancel(_ task: URLSessionTask) {
            state.withLock { $0.isHeld = true }
            task.cancel()
            // Asking goes by way of the queue that the second stroke is in, so it comes back behind that.
            _ = task.priority
            state.withLock { state in
                state.isHeld = false
                state.isDraining = true
            }
            while let blocks = nextBlocks() {
                for block in blocks { block() }
            }
        }

        private func nextBlocks() -> [@Sendable () -> Void]? {
            state.withLock { state in
                guard !state.waiting.isEmpty else {
                    state.isDraining = false
                    return nil
                }
                defer { state.waiting = [] }
                return state.waiting
            }
        }
    }
#endif
