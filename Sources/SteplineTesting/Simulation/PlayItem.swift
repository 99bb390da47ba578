/// A possible event of a run.
struct PlayItem {
    enum Work {
        case closure(@Sendable () -> Void)
        case job(UnownedJob)
    }

    enum Kind {
        /// A body that a worker has taken.
        case body
        /// A job that waits for a worker.
        case forWorker
        case other
    }

    let kind: Kind
    let work: Work
    /// The job of the entry, if all its waiting entries are equivalent.
    var job: ObjectIdentifier?
    /// The earlier begins of the Swift task in this part, if it hasn't waited since.
    var trail: SleepTrail?
}

/// An event at a random moment.
struct PlayMessage {
    let what: String
    let body: @Sendable () -> Void
}
