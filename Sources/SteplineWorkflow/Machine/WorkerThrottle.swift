import SteplineEngine

/// Decides how many workers run one workflow's tasks.
///
/// While a task may begin, a worker is called or observes. So ready work starts while a core is free, and a blocked
/// worker delays only its own body. All workers of a workflow take turns at its lock: adding one pays only when bodies
/// take longer than the lock hand-off. So the throttle measures the time from body to body, with one worker and with
/// several. If one worker alone is as fast, the others leave, or become the idle observer: one worker that looks at
/// intervals, and works again when the work slows down.
///
/// Part of the machine, so used under its lock only. A call costs a few nanoseconds, and an evaluation each 64 bodies.
struct WorkerThrottle {
    /// The number of bodies of one measurement.
    private static let sample: Int64 = 64
    /// Nanoseconds from body to body above which several workers pay without a trial.
    private static let longBody: Int64 = 4_000
    /// Nanoseconds from body to body below which the observer never joins.
    private static let shortBody: Int64 = 1_000
    /// The number of measurements of one worker alone; the first may be slow, as the caches are cold.
    private static let samplesOfTrial = 4
    /// The number of shared measurements after which one worker alone is measured again.
    private static let samplesToNextTrial = 256
    /// The number of looks in vain after which the observer leaves; or joins, if there is work and no worker takes it.
    private static let allowedMisses = 20

    /// A worker was called, and hasn't arrived.
    private var isCalled = false
    private var hasObserver = false
    /// The number of workers that run bodies.
    private var workers = 0

    private var bodies: Int64 = 0
    private var since = Instant.zero
    /// Nanoseconds from body to body, by one worker alone and by several.
    private var alone: Int64 = 0
    private var shared: Int64 = 0
    /// The number of measurements of each.
    private var samplesAlone = 0
    private var samplesShared = 0
    /// How many attempts had begun at the last look.
    private var lastBegun = 0
    private var lastLook = Instant.zero
    private var misses = 0

    /// Nanoseconds from begin to begin by all workers, while notifications are performed; 0 until it is measured.
    private var pace: Int64 = 0
    /// How many attempts had begun when the pace was measured, and the time of that.
    private var begunAtPace = 0
    private var paceTime = Instant.zero
    /// How many attempts had begun when a worker last yielded, and how often one has since then.
    private var begunAtYield = 0
    private var fruitlessYields = 0

    /// Whether one worker is as fast as several, or that is still to be measured.
    private var isBestAlone: Bool {
        guard samplesShared > 0 else { return false }
        return samplesAlone < Self.samplesOfTrial ? shared < Self.longBody : alone <= shared
    }

    /// Whether to call a worker, as a task may begin.
    @inline(__always)
    mutating func call() -> Bool {
        // While other workers run, an observer makes a call unnecessary: it joins by itself if the work slows down.
        guard !isCalled, workers == 0 || !hasObserver else { return false }
        isCalled = true
        return true
    }

    enum Part {
        case work
        case observe
        case leave
    }

    /// A worker that was called has arrived.
    mutating func arrive(at now: Instant, begun: Int) -> Part {
        isCalled = false
        // Without a worker at work this one is needed, whatever was measured.
        guard workers > 0, isBestAlone else {
            join(at: now, begun: begun)
            return .work
        }
        return observe(at: now, begun: begun)
    }

    private mutating func observe(at now: Instant, begun: Int) -> Part {
        guard !hasObserver else { return .leave }
        hasObserver = true
        misses = 0
        lastBegun = begun
        lastLook = now
        return .observe
    }

    /// A worker joins that has a body to run.
    mutating func join(at now: Instant, begun: Int) {
        workers += 1
        bodies = 0
        since = now
        lastBegun = begun
        lastLook = now
    }

    /// Whether a worker takes its next body, or leaves so that another one is faster.
    @inline(__always)
    mutating func proceed(at now: Instant) -> Part {
        bodies += 1
        return bodies < Self.sample ? .work : judge(at: now)
    }

    private mutating func judge(at now: Instant) -> Part {
        let pace = (now.nanoseconds - since.nanoseconds) / Self.sample
        bodies = 0
        since = now
        guard workers > 1 else {
            // The trial keeps the fastest of its measurements; after the trial the latest counts.
            alone = samplesAlone == 0 ? pace : min(alone, pace)
            if samplesAlone >= Self.samplesOfTrial { alone = pace }
            samplesAlone += 1
            return .work
        }
        // A moving average: measurements of several workers vary with the hand-off of the lock.
        shared = samplesShared == 0 ? pace : (3 * shared + pace) / 4
        samplesShared += 1
        // The bodies may have become shorter. If they are short, the other workers now
        // leave for a new trial of one alone.
        if samplesShared % Self.samplesToNextTrial == 0 { samplesAlone = 0 }
        return isBestAlone ? .leave : .work
    }

    /// A worker stops working for this workflow.
    mutating func leave(at now: Instant) {
        // A measurement holds for one number of workers, so a new one begins.
        workers -= 1
        bodies = 0
        since = now
    }

    /// A worker takes no body: none is ready, or the begin of the next one is being notified.
    ///
    /// If others go on with short bodies it observes for a while: calling a worker takes longer than such a body.
    mutating func rest(at now: Instant, begun: Int) -> Part {
        let pace = (now.nanoseconds - lastLook.nanoseconds) / max(1, Int64(begun &- lastBegun))
        leave(at: now)
        return workers > 0 && pace < Self.longBody ? observe(at: now, begun: begun) : .leave
    }

    /// A worker that may take a body finds that another thread performs notifications, which each task needs.
    ///
    /// With short bodies the worker observes: it would only hand bodies to that thread, and get them back. If no
    /// attempt begins meanwhile, that thread is blocked in a listener, and the worker goes on.
    ///
    /// - Returns: Nil if the worker may take the next body.
    mutating func yield(at now: Instant, begun: Int) -> Part? {
        // Alone it is responsible for all ready tasks: the other thread isn't a worker of this workflow.
        guard workers > 1 else { return nil }
        let done = Int64(begun &- begunAtPace)
        let elapsed = now.nanoseconds - paceTime.nanoseconds
        if done >= Self.sample || elapsed > Self.sample * Self.longBody {
            pace = elapsed / max(1, done)
            begunAtPace = begun
            paceTime = now
        }
        fruitlessYields = begun == begunAtYield ? fruitlessYields + 1 : 0
        begunAtYield = begun
        // The pace is that of all workers. A virtual clock may stand still.
        guard pace > 0, pace < 2 * Self.longBody / Int64(workers), fruitlessYields <= Self.allowedMisses
        else {
            fruitlessYields = 0
            return nil
        }
        leave(at: now)
        return observe(at: now, begun: begun)
    }

    /// Returns the observer's next action after a look.
    mutating func look(at now: Instant, begun: Int, hasWork: Bool) -> Part {
        guard hasWork else {
            misses += 1
            guard misses > Self.allowedMisses else { return .observe }
            hasObserver = false
            return .leave
        }
        let done = Int64(begun &- lastBegun)
        misses = done > 0 ? 0 : misses + 1
        // A virtual clock may stand still.
        let isSlow =
            misses > Self.allowedMisses
            || done * max(Self.shortBody, samplesAlone > 0 ? 2 * alone : 0) < now.nanoseconds
                - lastLook.nanoseconds
        lastBegun = begun
        lastLook = now
        // The measurements were made with other bodies.
        if isSlow { (samplesAlone, samplesShared) = (0, 0) }
        guard isSlow || workers == 0 || !isBestAlone else { return .observe }
        hasObserver = false
        join(at: now, begun: begun)
        return .work
    }
}
