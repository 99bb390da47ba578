import Dispatch
import SteplineSupport
import Synchronization

import class Foundation.ProcessInfo
import class Foundation.Thread

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The threads for synchronous bodies: one pool per process, first come, first served.
///
/// The pool owns its threads and a ``WorkerRoster``, which makes all decisions under the pool's lock. Any thread may
/// call ``enqueue(_:)``. In a simulation the stage runs the job instead.
///
/// Each worker loops: ask the roster, then run a job, poll, or park. A parked worker ends after 5 seconds, or after 200
/// ms if there are more workers than cores.
///
/// As many workers run as there are cores. A body that blocks must not delay ready work. While jobs wait, a watch
/// thread inspects the workers every 0.25 to 2 ms. Workers that stay in one body are replaced by further workers, up to
/// `WorkerThreads.maximumCount`.
///
/// Dispatch's threads aren't used: those are few, and a blocking body would take them from other code.
///
/// Costs: `enqueue` takes one lock. Waking a parked worker takes about 15 µs; a lookout starts a
/// job after 1 or 2 µs. Read ``WorkerRoster`` for the decisions and `work(_:)` for the loop.
@usableFromInline
package final class Workers: WorkerPool {
    @usableFromInline
    package static let shared = Workers(width: max(1, ProcessInfo.processInfo.activeProcessorCount))

    /// The number of nanoseconds that a worker without work polls for a job.
    ///
    /// A dependent of another worker's task then begins after 1 or 2 µs, instead of the 15 µs of a thread wake-up. An
    /// idle pool spends this time once.
    private static let lookOutTime: UInt64 = 50_000

    private let roster: Locked<WorkerRoster>
    /// A copy of "jobs are waiting" for readers that must not take the lock.
    private let hasJobs = Atomic(false)
    private let watch = DispatchSemaphore(value: 0)
    private let hasWatch = Atomic(false)

    /// The number of bodies that run concurrently if none of them blocks.
    package let width: Int

    package init(
        width: Int, maximum: @escaping @Sendable () -> Int = { WorkerThreads.maximumCount }
    ) {
        self.width = width
        roster = Locked(WorkerRoster(width: width, maximum: maximum))
    }

    /// Adds a job at the end of the queue and returns at once.
    package func enqueue(_ job: any WorkerJob) {
        if let stage = Stages.current { return stage.enqueue(job) { job.run(on: .staged) } }
        make(
            roster.withLock { roster in
                // Set before the job is in the queue: a lookout that reads true then waits for the lock and finds the
                // job.
                hasJobs.store(true, ordering: .relaxed)
                return roster.append(job)
            }
        )
    }

    var hasWaitingJobs: Bool { hasJobs.load(ordering: .relaxed) }

    /// The number of threads.
    package var count: Int { roster.withLock { $0.count } }

    func stepAside(_ worker: Worker) { make(roster.withLock { $0.stepAside(worker) }) }

    func stepBack(_ worker: Worker) { roster.withLock { $0.stepBack(worker) } }

    private func make(_ call: WorkerRoster.Call) {
        switch call {
        case .nothing: break
        case .wake(let worker): worker.wake()
        case .start: start()
        case .watch: startWatch()
        }
    }

    // MARK: Working

    private func start() {
        let worker = Worker(of: self)
        roster.withLock { $0.add(worker) }
        let thread = Thread { [self] in work(worker) }
        thread.qualityOfService = .userInitiated
        thread.start()
        // Signal only after `start()` returns: on Linux, a thread that runs earlier can't be given a name.
        worker.wake()
    }

    private func work(_ worker: Worker) {
        worker.awaitWaking()
        worker.settleIn()
        var wasLookout = false
        while true {
            let next = roster.withLock { roster in
                let next = roster.next(for: worker, wasLookout: wasLookout)
                // Update the hint under the lock, after the roster took a job: a stale true makes jobs yield
                // for nothing.
                hasJobs.store(!roster.jobs.isEmpty, ordering: .relaxed)
                return next
            }
            wasLookout = false
            switch next {
            case .job(let job, let call):
                worker.beginBody()
                // Call the next worker before running the job, which may take long.
                make(call)
                withAutoreleasePool { job.run(on: worker) }
            case .lookOut:
                wasLookout = true
                lookOut()
            case .park(let call):
                make(call)
                guard park(worker) else { return }
            }
        }
    }

    /// Polls for work for a short time, because a thread wake-up takes longer than many bodies.
    ///
    /// The loop never yields the core. On a busy machine a yield costs milliseconds, while work waits for this thread.
    /// With a single core, the thread that creates the work needs that core.
    private func lookOut() {
        guard width > 1 else { return }
        let end = DispatchTime.now().uptimeNanoseconds + Self.lookOutTime
        repeat {
            // 64 reads of the hint per clock reading: the clock is the slower one.
            for _ in 0..<64 where hasWaitingJobs { return }
        } while DispatchTime.now().uptimeNanoseconds < end
    }

    /// Waits for work; returns false if the worker timed out and its thread must end.
    private func park(_ worker: Worker) -> Bool {
        let isExtra = count > width
        if worker.park(atMost: isExtra ? .milliseconds(200) : .seconds(5)) { return true }
        if roster.withLock({ $0.leave(worker) }) { return false }
        // A wake-up was decided before the timeout: wait for its signal, or the semaphore would keep it.
        worker.awaitWaking()
        return true
    }

    // MARK: Watching

    private func startWatch() {
        // The watch thread exists already: start its next round.
        if hasWatch.exchange(true, ordering: .acquiringAndReleasing) {
            watch.signal()
            return
        }
        let thread = Thread { [self] in
            while true {
                watchOver()
                // The semaphore keeps a signal that comes between the end of `watchOver` and this wait.
                watch.wait()
            }
        }
        thread.qualityOfService = .userInteractive
        thread.start()
    }

    /// Inspects the workers repeatedly, as long as jobs wait.
    private func watchOver() {
        var looks = 0
        while true {
            // Frequent looks at first, when blocked work gains most; fewer looks during a backlog of long bodies.
            usleep(looks < 8 ? 250 : looks < 40 ? 500 : 2000)
            looks += 1
            // Read under the lock: a worker that left the roster has no thread any more.
            let calls: [WorkerRoster.Call]? = roster.withLock { roster in
                guard let workers = roster.watched() else { return nil }
                return roster.look(workers.map { ($0, $0.reading) })
            }
            guard let calls else { return }
            for call in calls { make(call) }
        }
    }
}
