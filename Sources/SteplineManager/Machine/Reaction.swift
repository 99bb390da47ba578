/// What a record's reactors have asked for.
struct Reaction {
    /// The runs that have not ended.
    var runs: Set<Int> = []
    var requeues = false
    var reintercepts = false
    var backoff = Duration.zero
    var joinOrder = 0
    /// How often each reactor has requeued it.
    var counts: [Int: Int] = [:]
}

/// A reactor's yes, with its configuration as it was then.
struct ReactorAnswer {
    let reactor: Int
    let configuration: ReactorConfiguration
    /// How long the task waits before it is run again, which chance may decide.
    let wait: Duration
}
