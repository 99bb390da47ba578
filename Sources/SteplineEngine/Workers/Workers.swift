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

/// The threads for synchronous bodies: one pool in the process, first come, first served.
///
/// As many are at work as there are cores. Work that is ready never waits behind a body that blocks: while work waits and
/// every worker sits in one body, others are added, up to `WorkerThreads.maximumCount`, and leave when they are idle.
/// Not Dispatch's threads: those are few, and a body that blocks would take them from others.
package final class Workers: WorkerPool {
    package static let shared = Workers(width: max(1, ProcessInfo.processInfo.activeProcessorCount))

    /// For how many nanoseconds a worker without work looks out for more.
    ///
    /// A dependent of another worker's body then begins after one or two microseconds, and not after the fifteen that it
    /// takes to wake a thread. A pool that has become idle spends no more than this once.
    private static let lookOutTime: UInt64 = 50_000

    private let roster: Locked<WorkerRoster>
    /// A hint for those who must not take the lock.
    private let hasJobs = Atomic(false)
    private let watch = DispatchSemaphore(value: 0)
    private let hasWatch = Atomic(false)

    /// How many bodies are run at once if none of them blocks.
    package let width: Int

    package init(
        width: Int, maximum: @escaping @Sendable () -> Int = { WorkerThreads.maximumCount }
    ) {
        self.width = width
        roster = Locked(WorkerRoster(width: width, maximum: maximum))
    }

    /// Adds a job behind all that wait; returns at once.
    package func enqueue(_ job: any WorkerJob) {
        if let stage = Stages.current { return stage.enqueue(job) { job.run(on: .staged) } }
        make(
            roster.withLock { roster in
                hasJobs.store(true, ordering: .relaxed)
                return roster.append(job)
            }
        )
    }

    var hasWaitingJobs: Bool { hasJobs.load(ordering: .relaxed) }

    /// How many threads there are.
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
        // Not before: on Linux a thread that is quicker than its start can't be given a name.
        worker.wake()
    }

    private func work(_ worker: Worker) {
        worker.awaitWaking()
        worker.settleIn()
        var wasLookout = false
        while true {
            let next = roster.withLock { roster in
                let next = roster.next(for: worker, wasLookout: wasLookout)
                hasJobs.store(!roster.jobs.isEmpty, ordering: .relaxed)
                return next
            }
            wasLookout = false
            switch next {
            case .job(let job, let call):
                worker.beginBody()
                make(call)
                job.run(on: worker)
            case .lookOut:
                wasLookout = true
                lookOut()
            case .park(let call):
                make(call)
                guard park(worker) else { return }
            }
        }
    }

    /// Waits a moment for more work, as waking a thread takes longer than many a body.
    ///
    /// Without giving up its core: on a busy machine that would take milliseconds, in which work waits for this thread.
    /// Where there is but one core, whoever makes the work needs it.
    private func lookOut() {
        guard width > 1 else { return }
        let end = DispatchTime.now().uptimeNanoseconds + Self.lookOutTime
        repeat {
            for _ in 0..<64 where hasWaitingJobs { return }
        } while DispatchTime.now().uptimeNanoseconds < end
    }

    /// Waits for work; false if none came for so long that the thread may end.
    private func park(_ worker: Worker) -> Bool {
        let isExtra = count > width
        if worker.park(atMost: isExtra ? .milliseconds(200) : .seconds(5)) { return true }
        if roster.withLock({ $0.leave(worker) }) { return false }
        worker.awaitWaking()
        return true
    }

    // MARK: Watching

    private func startWatch() {
        if hasWatch.exchange(true, ordering: .acquiringAndReleasing) {
            watch.signal()
            return
        }
        let thread = Thread { [self] in
            while true {
                watchOver()
                watch.wait()
            }
        }
        thread.qualityOfService = .userInteractive
        thread.start()
    }

    /// Looks after the workers for as long as work waits.
    private func watchOver() {
        var looks = 0
        while true {
            // Often at first, when most is to be gained; a backlog of long bodies need not be looked at all the time.
            usleep(looks < 8 ? 250 : looks < 40 ? 500 : 2000)
            looks += 1
            // Read under the lock: a worker that has left is no thread any more.
            let calls: [WorkerRoster.Call]? = roster.withLock { roster in
                guard let workers = roster.watched() else { return nil }
                return roster.look(workers.map { ($0, $0.reading) })
            }
            guard let calls else { return }
            for call in calls { make(call) }
        }
    }
}
