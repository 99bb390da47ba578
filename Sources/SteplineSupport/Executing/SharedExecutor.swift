import Dispatch
import class Foundation.ProcessInfo

/// Work that a ``SharedExecutor`` can run. An engine conforms itself, so that handing it over allocates nothing.
package protocol ExecutorJob: AnyObject, Sendable {
    func runJob()
}

/// A few threads for synchronous work that has no queue of its own, first come, first served.
///
/// However much waits, no more threads than `width` ever run it: jobs wait in a list, and at most `width`
/// workers, borrowed from Dispatch while there is something to do, take them from there.
package final class SharedExecutor: Sendable {
    /// As wide as the machine has cores, and at least four: bodies that wait for a file or a lock for a moment
    /// then don't leave a small machine idle.
    package static let shared = SharedExecutor(width: max(4, ProcessInfo.processInfo.activeProcessorCount))

    package let width: Int

    private struct State {
        var jobs: [(any ExecutorJob)?] = []
        /// How many at the front of `jobs` have been taken.
        var taken = 0
        var workers = 0
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "stepline.shared", qos: .userInitiated, attributes: .concurrent)

    package init(width: Int) {
        self.width = width
    }

    /// Adds a job behind all that wait; returns at once.
    package func enqueue(_ job: any ExecutorJob) {
        let needsWorker = state.withLock { state in
            state.jobs.append(job)
            guard state.workers < width else { return false }
            state.workers += 1
            return true
        }
        if needsWorker { queue.async { self.work() } }
    }

    private func work() {
        while let job = next() {
            job.runJob()
        }
    }

    private func next() -> (any ExecutorJob)? {
        state.withLock { state in
            guard state.taken < state.jobs.count else {
                state.jobs.removeAll(keepingCapacity: state.jobs.capacity <= 1024)
                state.taken = 0
                state.workers -= 1
                return nil
            }
            let job = state.jobs[state.taken]
            state.jobs[state.taken] = nil
            state.taken += 1
            if state.taken >= 1024, 2 * state.taken >= state.jobs.count {
                state.jobs.removeFirst(state.taken)
                state.taken = 0
            }
            return job
        }
    }
}
