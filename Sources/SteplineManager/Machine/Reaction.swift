/// The reactions to a record's result.
struct Reaction {
    /// The numbers of the runs that haven't ended.
    var runs: Set<Int> = []
    var requeues = false
    var reintercepts = false
    var backoff = Duration.zero
    var joinOrder = 0
    /// The number of requeues by each reactor.
    var counts: [Int: Int] = [:]
}

/// A reactor's decision to react, with its configuration at that moment.
struct ReactorAnswer {
    let reactor: Int
    let configuration: ReactorConfiguration
    /// The back-off before the next attempt, which may be random.
    let wait: Duration
}
