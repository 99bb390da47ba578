/// Something that a play could go on with.
struct PlayItem {
    enum Work {
        case closure(@Sendable () -> Void)
        case job(UnownedJob)
    }

    enum Kind {
        /// A body that a worker has taken.
        case body
        /// Something that waits for a worker.
        case forWorker
        case other
    }

    let kind: Kind
    let work: Work
    /// What it is done for, if all that wait for it are alike.
    var job: ObjectIdentifier?
    /// When the Swift task that goes on in it was at it before, without having waited for anything.
    var trail: SleepTrail?
}

/// When a Swift task was taken up, by the clock on the wall: it may change threads on its way into a sleep.
struct SleepTrail {
    private var beginnings: (ContinuousClock.Instant, ContinuousClock.Instant, ContinuousClock.Instant)

    init(_ beginning: ContinuousClock.Instant) { beginnings = (beginning, beginning, beginning) }

    mutating func goOn(at beginning: ContinuousClock.Instant) {
        beginnings = (beginnings.1, beginnings.2, beginning)
    }

    /// Since when it has been on its way.
    var first: ContinuousClock.Instant { beginnings.0 }
}

/// Something that comes at a moment which chance decides.
struct PlayMessage {
    let what: String
    let body: @Sendable () -> Void
}
