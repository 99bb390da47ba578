import SteplineEngine

/// Which threads work for a workflow, and whether one more is worth its while.
///
/// While a task may begin, some thread is called or looks on; so ready work starts while a core is free, and one that
/// blocks delays nothing but itself. What is saved here: all threads of a workflow take turns at its lock, and where
/// bodies are very short two of them get less done than one. So it is tried how fast one gets on alone; where that is as
/// fast, the others only look on, at intervals, and step in when work slows down.
struct Helping {
    /// How many bodies are measured together.
    private static let sample: Int64 = 64
    /// From body to body, in nanoseconds, above which sharing pays without a trial.
    private static let longBody: Int64 = 4_000
    /// Below which the others never step in.
    private static let shortBody: Int64 = 1_000
    /// How many samples tell how fast one is alone: the first may be slow, as memory has to come near.
    private static let samplesOfTrial = 4
    /// After so many samples of shared work it is tried again how fast one is alone.
    private static let samplesToNextTrial = 256
    /// After how many looks in vain who looks on leaves, or steps in if there is work and nobody takes it.
    private static let looksInVain = 20

    /// A thread was called, and hasn't come.
    private var isCalled = false
    private var isLookedAfter = false
    /// Threads that run bodies one after the other.
    private var threads = 0

    private var bodies: Int64 = 0
    private var since = Instant.zero
    /// From body to body, in nanoseconds, when one thread worked last, and when several did.
    private var alone: Int64 = 0
    private var shared: Int64 = 0
    /// How many samples there were of each.
    private var samplesAlone = 0
    private var samplesShared = 0
    /// How far the others were at the last look.
    private var lastBegun = 0
    private var lastLook = Instant.zero
    private var inVain = 0

    /// Whether one thread is known to be as fast as several, or it is to be tried.
    private var isBestAlone: Bool {
        guard samplesShared > 0 else { return false }
        return samplesAlone < Self.samplesOfTrial ? shared < Self.longBody : alone <= shared
    }

    /// Whether a thread is to be called, as a task may begin.
    @inline(__always)
    mutating func call() -> Bool {
        guard !isCalled, threads == 0 || !isLookedAfter else { return false }
        isCalled = true
        return true
    }

    enum Part {
        case work
        case lookOn
        case leave
    }

    /// A thread that was called has come.
    mutating func arrive(at now: Instant, begun: Int) -> Part {
        isCalled = false
        guard threads > 0, isBestAlone else {
            join(at: now, begun: begun)
            return .work
        }
        return lookOn(at: now, begun: begun)
    }

    private mutating func lookOn(at now: Instant, begun: Int) -> Part {
        guard !isLookedAfter else { return .leave }
        isLookedAfter = true
        inVain = 0
        lastBegun = begun
        lastLook = now
        return .lookOn
    }

    /// A thread comes with work.
    mutating func join(at now: Instant, begun: Int) {
        threads += 1
        bodies = 0
        since = now
        lastBegun = begun
        lastLook = now
    }

    /// A thread goes on to its next body, unless it would be in another's way.
    @inline(__always)
    mutating func goOn(at now: Instant) -> Part {
        bodies += 1
        return bodies < Self.sample ? .work : judge(at: now)
    }

    private mutating func judge(at now: Instant) -> Part {
        let pace = (now.nanoseconds - since.nanoseconds) / Self.sample
        bodies = 0
        since = now
        guard threads > 1 else {
            alone = samplesAlone == 0 ? pace : min(alone, pace)
            if samplesAlone >= Self.samplesOfTrial { alone = pace }
            samplesAlone += 1
            return .work
        }
        shared = samplesShared == 0 ? pace : (3 * shared + pace) / 4
        samplesShared += 1
        if samplesShared % Self.samplesToNextTrial == 0 { samplesAlone = 0 }
        return isBestAlone ? .leave : .work
    }

    /// A thread leaves for others.
    mutating func leave(at now: Instant) {
        threads -= 1
        bodies = 0
        since = now
    }

    /// A thread has nothing more to do.
    ///
    /// Where others go on and bodies are short it looks on for a while, as calling it again would take longer than they.
    mutating func rest(at now: Instant, begun: Int) -> Part {
        let pace = (now.nanoseconds - lastLook.nanoseconds) / max(1, Int64(begun &- lastBegun))
        leave(at: now)
        return threads > 0 && pace < Self.longBody ? lookOn(at: now, begun: begun) : .leave
    }

    /// A thread that looks on has waited for a moment: what it does now.
    mutating func look(at now: Instant, begun: Int, hasWork: Bool) -> Part {
        guard hasWork else {
            inVain += 1
            guard inVain > Self.looksInVain else { return .lookOn }
            isLookedAfter = false
            return .leave
        }
        let done = Int64(begun &- lastBegun)
        inVain = done > 0 ? 0 : inVain + 1
        // The clock may be one that stands still.
        let isSlow =
            inVain > Self.looksInVain
            || done * max(Self.shortBody, samplesAlone > 0 ? 2 * alone : 0) < now.nanoseconds
                - lastLook.nanoseconds
        lastBegun = begun
        lastLook = now
        if isSlow { (samplesAlone, samplesShared) = (0, 0) }
        guard isSlow || threads == 0 || !isBestAlone else { return .lookOn }
        isLookedAfter = false
        join(at: now, begun: begun)
        return .work
    }
}
