import Dispatch
import Synchronization

import class Foundation.ProcessInfo

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Work that a ``SharedExecutor`` can run.
///
/// An engine conforms itself, so that handing it over allocates nothing.
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

    fileprivate struct State {
        var jobs: [(any ExecutorJob)?] = []
        /// How many at the front of `jobs` have been taken.
        var taken = 0
        var workers = 0
        /// Whether one of the workers, out of work, looks out for more before it goes.
        var hasLookout = false
    }

    private let state = Locked(State())
    /// How many jobs wait; a hint for the lookout, who must not take the lock from those at work.
    private let waiting = Atomic(0)
    private let queue = DispatchQueue(label: "stepline.shared", qos: .userInitiated, attributes: .concurrent)

    package init(width: Int) {
        self.width = width
    }

    /// Adds a job behind all that wait; returns at once.
    package func enqueue(_ job: any ExecutorJob) {
        let needsWorker = state.withLock { state in
            state.jobs.append(job)
            waiting.add(1, ordering: .relaxed)
            guard state.workers < width, !state.hasLookout else { return false }
            state.workers += 1
            return true
        }
        if needsWorker { startWorker() }
    }

    private func startWorker() {
        queue.async { self.work() }
    }

    private func work() {
        var wasLookout = false
        while true {
            switch next(wasLookout: wasLookout) {
            case .job(let job, let needsHelp):
                wasLookout = false
                if needsHelp { startWorker() }
                job.runJob()
            case .lookOut:
                wasLookout = true
                lookOut()
            case .leave:
                return
            }
        }
    }

    private enum Next {
        /// A job; with `needsHelp` more wait than there are workers for.
        case job(any ExecutorJob, needsHelp: Bool)
        case lookOut
        case leave
    }

    private func next(wasLookout: Bool) -> Next {
        state.withLock { state in
            if wasLookout { state.hasLookout = false }
            guard let job = state.takeFirst() else {
                if wasLookout || state.hasLookout {
                    state.workers -= 1
                    return .leave
                }
                state.hasLookout = true
                return .lookOut
            }
            waiting.subtract(1, ordering: .relaxed)
            // While somebody looked out, any number of jobs came without waking anybody: each who takes one of
            // them calls for the next worker.
            let needsHelp = !state.isEmpty && state.workers < width
            if needsHelp { state.workers += 1 }
            return .job(job, needsHelp: needsHelp)
        }
    }

    /// Waits some microseconds for more work: waking a thread takes longer than many a chain of steps.
    private func lookOut() {
        var rounds = 0
        while waiting.load(ordering: .relaxed) == 0, rounds < 40 {
            sched_yield()
            rounds += 1
        }
    }
}

extension SharedExecutor.State {
    fileprivate var isEmpty: Bool { taken == jobs.count }

    fileprivate mutating func takeFirst() -> (any ExecutorJob)? {
        guard !isEmpty else { return nil }
        let job = jobs[taken]
        jobs[taken] = nil
        taken += 1
        if isEmpty {
            jobs.removeAll(keepingCapacity: jobs.capacity <= 1024)
            taken = 0
        } else if taken >= 1024, 2 * taken >= jobs.count {
            jobs.removeFirst(taken)
            taken = 0
        }
        return job
    }
}
