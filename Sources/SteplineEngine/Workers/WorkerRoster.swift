/// Who works, who is parked, who is stuck: the decisions of ``Workers``, as a value.
///
/// As many workers are at work as there are cores. A worker that sleeps in one body counts as stuck, and
/// so does, after a longer while, one that computes; stuck workers don't count, so others take their places.
struct WorkerRoster {
    private struct Seat {
        let worker: Worker
        var isParked = false
        /// Somebody has called it, and it hasn't asked for work since.
        var isCalled = true
        var isStuck = false
        /// What the last look has seen.
        var last: WorkerReading?
        /// For how many looks it has been in the same body.
        var looks = 0

        /// It asks for work; whether it was called for that.
        mutating func arrive() -> Bool {
            defer { isCalled = false }
            return isCalled
        }

        /// It is out of its body; whether it had counted as stuck in that.
        mutating func leaveBody() -> Bool {
            looks = 0
            defer { isStuck = false }
            return isStuck
        }
    }

    /// After how many looks one that computes all the time counts as stuck as well.
    private static let looksAtComputing = 12
    /// How many may be at work for each that is stuck, when nobody gets on.
    private static let growth = 8

    let width: Int
    private var seats: [ObjectIdentifier: Seat] = [:]
    private var parked: [Worker] = []
    private var stuckCount = 0
    /// How many may be at work: more than the width for a moment, when bodies are found to block.
    private var room: Int
    private var lookouts = 0
    /// Workers that are called for and not added yet.
    private var coming = 0
    /// All that are called and haven't asked for work since, those included.
    private var called = 0
    private(set) var jobs = FIFO<any WorkerJob>()
    private(set) var isWatched = false

    private let maximum: @Sendable () -> Int

    init(width: Int, maximum: @escaping @Sendable () -> Int) {
        self.width = width
        self.maximum = maximum
        room = width
    }

    var count: Int { seats.count + coming }

    /// How many are at work, or look out for it.
    private var active: Int { count - parked.count - stuckCount }

    // MARK: Work comes

    /// What is to be done so that waiting work has a worker.
    enum Call {
        case nothing
        case wake(Worker)
        /// A new worker is to be started.
        case start
        /// All are at work: somebody is to watch whether they get on.
        case watch
    }

    mutating func append(_ job: any WorkerJob) -> Call {
        jobs.append(job)
        return jobs.count <= lookouts ? .nothing : call()
    }

    private mutating func call() -> Call {
        // Beyond the width for no more than the work that waits: those who are called will take theirs.
        let isWanted = active < width || active < room && jobs.count > called
        if isWanted, mayCallAnother { return callAnother() }
        if isWatched { return .nothing }
        isWatched = true
        return .watch
    }

    /// Whether somebody is parked, or one more may be added.
    private var mayCallAnother: Bool { !parked.isEmpty || count < maximum() }

    private mutating func callAnother() -> Call {
        called += 1
        guard let worker = parked.popLast() else {
            coming += 1
            return .start
        }
        seats[ObjectIdentifier(worker)]?.isParked = false
        seats[ObjectIdentifier(worker)]?.isCalled = true
        return .wake(worker)
    }

    /// A worker whose thread is about to be started.
    mutating func add(_ worker: Worker) {
        coming -= 1
        seats[ObjectIdentifier(worker)] = Seat(worker: worker)
    }

    // MARK: A worker asks

    enum Next {
        /// A job, and who is to be called for the one behind it.
        case job(any WorkerJob, Call)
        /// It looks out for work for a moment.
        case lookOut
        /// It has nothing to do, or too many are at work; somebody may have to be called for what waits.
        case park(Call)
    }

    mutating func next(for worker: Worker, wasLookout: Bool) -> Next {
        if wasLookout { lookouts -= 1 }
        if seats[ObjectIdentifier(worker)]?.arrive() == true { called -= 1 }
        if seats[ObjectIdentifier(worker)]?.leaveBody() == true { stuckCount -= 1 }
        guard active <= room else { return park(worker) }
        if let job = jobs.popFirst() {
            return .job(job, jobs.isEmpty || jobs.count <= lookouts ? .nothing : call())
        }
        guard !wasLookout, lookouts == 0 else { return park(worker) }
        lookouts += 1
        return .lookOut
    }

    private mutating func park(_ worker: Worker) -> Next {
        seats[ObjectIdentifier(worker)]?.isParked = true
        parked.append(worker)
        // What waits may have been left to this one, when it looked out for work.
        return .park(jobs.isEmpty ? .nothing : call())
    }

    /// A parked worker wants to leave; false if somebody is about to wake it.
    mutating func leave(_ worker: Worker) -> Bool {
        guard let index = parked.lastIndex(where: { $0 === worker }) else { return false }
        parked.remove(at: index)
        seats[ObjectIdentifier(worker)] = nil
        return true
    }

    // MARK: Stepping aside

    /// A worker only looks on for a while: somebody else may take its place.
    mutating func stepAside(_ worker: Worker) -> Call {
        let id = ObjectIdentifier(worker)
        guard seats[id]?.isStuck == false else { return .nothing }
        seats[id]?.isStuck = true
        stuckCount += 1
        return jobs.isEmpty ? .nothing : call()
    }

    /// A worker that stepped aside works again.
    mutating func stepBack(_ worker: Worker) {
        let id = ObjectIdentifier(worker)
        guard seats[id]?.isStuck == true else { return }
        seats[id]?.isStuck = false
        seats[id]?.last = nil
        stuckCount -= 1
    }

    // MARK: Watching

    /// The workers to be looked at, while work waits; nil if there is nothing to watch, and the watch is over.
    mutating func watched() -> [Worker]? {
        if jobs.isEmpty {
            isWatched = false
            room = width
            return nil
        }
        return seats.values.filter { !$0.isParked && !$0.isStuck }.map(\.worker)
    }

    /// Finds out who is stuck, and calls as many others as work waits for.
    mutating func look(
        _ readings: [(worker: Worker, reading: WorkerReading)]
    ) -> [Call] {
        var getsOn = false
        for (worker, reading) in readings where look(at: worker, reading) { getsOn = true }
        if getsOn { room = width }
        guard !jobs.isEmpty, active < width else { return [] }
        // If nobody gets on, the bodies are of the kind that blocks, and more of it must be expected.
        if active == 0 { room = max(width, Self.growth * stuckCount) }
        let wanted = room - active
        var calls: [Call] = []
        for _ in 0..<min(wanted, jobs.count) where mayCallAnother {
            calls.append(callAnother())
        }
        return calls
    }

    /// Looks at one; whether it gets on, as far as can be seen since the last look.
    private mutating func look(at worker: Worker, _ reading: WorkerReading) -> Bool {
        let id = ObjectIdentifier(worker)
        guard var seat = seats[id], !seat.isParked, !seat.isStuck else { return false }
        let last = seat.last
        seat.last = reading
        if let last, last.bodies == reading.bodies {
            seat.looks += 1
            let isBlocked = last.isAsleep == true && reading.isAsleep == true
            if isBlocked || seat.looks >= Self.looksAtComputing {
                seat.isStuck = true
                stuckCount += 1
            }
        } else {
            seat.looks = 0
        }
        seats[id] = seat
        // Who has just come hasn't shown anything.
        guard let last, last.bodies > 0 else { return false }
        return last.bodies != reading.bodies || reading.isAsleep != true
    }
}
