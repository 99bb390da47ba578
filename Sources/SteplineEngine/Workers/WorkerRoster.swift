/// The decisions of ``Workers`` as a value: which workers run, park, block or are added.
///
/// The pool calls every method under its lock. The roster starts no threads and wakes no workers: it returns a ``Call``
/// that the pool performs after unlock.
///
/// | State of a worker | Counted in | Left by |
/// | --- | --- | --- |
/// | called (woken or starting) | `called` | its next call of ``next(for:wasLookout:)`` |
/// | running a job | `active` | its next call of ``next(for:wasLookout:)`` |
/// | lookout (spinning for work) | `active`, `lookouts` | a job, or the end of its time |
/// | parked | `parked` | a wake-up, or ``leave(_:)`` |
/// | stalled in one body | `stuckCount` | the end of the body |
///
/// As many workers are active as there are cores (`width`). A worker is stalled if two successive looks find it asleep
/// in the same body. A body that computes, or whose sleep the system doesn't report, is stalled 12 looks after the
/// first. Stalled workers don't count as active, so other workers take their cores. If no worker makes progress, `room`
/// grows beyond the width until one does.
///
/// `isStuck` and `stuckCount` also cover a worker that stepped aside, which is idle and not stalled.
///
/// Every call is constant time, except the watch, which is linear in the workers that run.
struct WorkerRoster {
    private struct Entry {
        let worker: Worker
        var isParked = false
        /// Whether the worker was called and hasn't asked for work since.
        var isCalled = true
        var isStuck = false
        /// The reading of the previous look.
        var last: WorkerReading?
        /// The number of looks in the same body.
        var looks = 0

        /// Records that the worker asks for work; returns whether it was called.
        mutating func arrive() -> Bool {
            defer { isCalled = false }
            return isCalled
        }

        /// Records that the worker left its body; returns whether it was stalled in that body.
        mutating func leaveBody() -> Bool {
            looks = 0
            defer { isStuck = false }
            return isStuck
        }
    }

    /// The number of looks after which a computing worker counts as stalled.
    private static let looksAtComputing = 12
    /// The number of active workers allowed per stalled worker when no worker makes progress.
    private static let growth = 8

    let width: Int
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var parked: [Worker] = []
    private var stuckCount = 0
    /// The limit of active workers; above the width for a while after bodies were found to block.
    private var room: Int
    private var lookouts = 0
    /// The number of workers that were called for but not added yet.
    private var coming = 0
    /// The number of workers that were called and haven't asked for work since, including `coming`.
    private var called = 0
    private(set) var jobs = FIFO<any WorkerJob>()
    private(set) var isWatched = false

    private let maximum: @Sendable () -> Int

    init(width: Int, maximum: @escaping @Sendable () -> Int) {
        self.width = width
        self.maximum = maximum
        room = width
    }

    var count: Int { entries.count + coming }

    /// The number of workers that run jobs, are called, or spin as lookouts.
    private var active: Int { count - parked.count - stuckCount }

    // MARK: Work comes

    /// The action that gets a worker for waiting work.
    enum Call {
        case nothing
        case wake(Worker)
        /// Start a new worker.
        case start
        /// All workers are active: start the watch for stalled workers.
        case watch
    }

    mutating func append(_ job: any WorkerJob) -> Call {
        jobs.append(job)
        // A lookout polls for jobs: it takes this one without a wake-up.
        return jobs.count <= lookouts ? .nothing : call()
    }

    private mutating func call() -> Call {
        // Above the width, call only one worker per waiting job: each called worker will take one.
        let isNeeded = active < width || active < room && jobs.count > called
        // Neither parked nor startable: the watch frees room when a worker stalls.
        if isNeeded, mayCallAnother { return callAnother() }
        if isWatched { return .nothing }
        isWatched = true
        return .watch
    }

    /// Whether a worker is parked, or the maximum allows one more.
    private var mayCallAnother: Bool { !parked.isEmpty || count < maximum() }

    private mutating func callAnother() -> Call {
        called += 1
        guard let worker = parked.popLast() else {
            coming += 1
            return .start
        }
        entries[ObjectIdentifier(worker)]?.isParked = false
        entries[ObjectIdentifier(worker)]?.isCalled = true
        return .wake(worker)
    }

    /// Adds a worker whose thread is about to start.
    mutating func add(_ worker: Worker) {
        coming -= 1
        entries[ObjectIdentifier(worker)] = Entry(worker: worker)
    }

    // MARK: A worker asks

    enum Next {
        /// Run this job, and perform the call for the job after it.
        case job(any WorkerJob, Call)
        /// Poll for work for a short time.
        case lookOut
        /// Park, and perform the call for work that still waits.
        case park(Call)
    }

    mutating func next(for worker: Worker, wasLookout: Bool) -> Next {
        if wasLookout { lookouts -= 1 }
        if entries[ObjectIdentifier(worker)]?.arrive() == true { called -= 1 }
        if entries[ObjectIdentifier(worker)]?.leaveBody() == true { stuckCount -= 1 }
        // A worker that was stalled returns while its replacement runs: one of them has to park.
        guard active <= room else { return park(worker) }
        if let job = jobs.popFirst() {
            // The called worker calls the next one in turn, so a burst of jobs doesn't wake all workers at once.
            return .job(job, jobs.isEmpty || jobs.count <= lookouts ? .nothing : call())
        }
        // A single lookout is enough. A second lookout would only use another core.
        guard !wasLookout, lookouts == 0 else { return park(worker) }
        lookouts += 1
        return .lookOut
    }

    private mutating func park(_ worker: Worker) -> Next {
        entries[ObjectIdentifier(worker)]?.isParked = true
        parked.append(worker)
        // `append` may have left this job to the worker while it was a lookout.
        return .park(jobs.isEmpty ? .nothing : call())
    }

    /// Removes a parked worker that timed out; returns false if a wake-up for it is on the way.
    mutating func leave(_ worker: Worker) -> Bool {
        guard let index = parked.lastIndex(where: { $0 === worker }) else { return false }
        parked.remove(at: index)
        entries[ObjectIdentifier(worker)] = nil
        return true
    }

    // MARK: Stepping aside

    /// Marks a worker as idle for a while, so another worker may use its core.
    mutating func stepAside(_ worker: Worker) -> Call {
        let id = ObjectIdentifier(worker)
        guard entries[id]?.isStuck == false else { return .nothing }
        // The watch may have counted this worker as stalled already. An idle worker is counted like a stalled one.
        entries[id]?.isStuck = true
        stuckCount += 1
        return jobs.isEmpty ? .nothing : call()
    }

    /// Marks a worker that stepped aside as active again.
    mutating func stepBack(_ worker: Worker) {
        let id = ObjectIdentifier(worker)
        guard entries[id]?.isStuck == true else { return }
        entries[id]?.isStuck = false
        // The reading from before the pause would count the pause as time in one body.
        entries[id]?.last = nil
        stuckCount -= 1
    }

    // MARK: Watching

    /// Returns the workers to inspect while jobs wait; nil ends the watch.
    mutating func watched() -> [Worker]? {
        if jobs.isEmpty {
            isWatched = false
            room = width
            return nil
        }
        return entries.values.filter { !$0.isParked && !$0.isStuck }.map(\.worker)
    }

    /// Marks stalled workers, and calls as many other workers as the waiting jobs need.
    ///
    /// - Parameter readings: The workers from ``watched()`` with their current readings.
    /// - Returns: The calls to perform after unlock.
    mutating func look(
        _ readings: [(worker: Worker, reading: WorkerReading)]
    ) -> [Call] {
        var getsOn = false
        for (worker, reading) in readings where look(at: worker, reading) { getsOn = true }
        if getsOn { room = width }
        guard !jobs.isEmpty, active < width else { return [] }
        // No worker makes progress: the bodies block, and further bodies of this kind are likely. Allow more workers.
        if active == 0 { room = max(width, Self.growth * stuckCount) }
        let missing = room - active
        var calls: [Call] = []
        for _ in 0..<min(missing, jobs.count) where mayCallAnother {
            calls.append(callAnother())
        }
        return calls
    }

    /// Inspects one worker, and returns whether it made progress since the last look.
    private mutating func look(at worker: Worker, _ reading: WorkerReading) -> Bool {
        let id = ObjectIdentifier(worker)
        guard var entry = entries[id], !entry.isParked, !entry.isStuck else { return false }
        let last = entry.last
        entry.last = reading
        if let last, last.bodies == reading.bodies {
            entry.looks += 1
            // Two sleeping looks in one body: a single look could catch a short wait for a lock.
            let isBlocked = last.isAsleep == true && reading.isAsleep == true
            if isBlocked || entry.looks >= Self.looksAtComputing {
                entry.isStuck = true
                stuckCount += 1
            }
        } else {
            entry.looks = 0
        }
        entries[id] = entry
        // A worker without a previous reading, or without a body, has shown no progress.
        guard let last, last.bodies > 0 else { return false }
        return last.bodies != reading.bodies || reading.isAsleep != true
    }
}
