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

/// Something that comes at a moment which chance decides.
struct PlayMessage {
    let what: String
    let body: @Sendable () -> Void
}
