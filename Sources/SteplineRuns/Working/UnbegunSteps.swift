/// The steps that occupy a slot but whose bodies can't start yet.
struct UnbegunSteps {
    typealias Key = WorkerSession.Key
    typealias Running = WorkerSession.Running

    /// Steps that wait for a result that this worker must compute first, by the task that computes it.
    private var waiting: [Key: [Running]] = [:]
    /// Steps that wait for an earlier body of the same task in this process.
    private var retried: [Running] = []
    /// Steps that wait for the next try at a result that they want, each with the uptime of that try.
    private var delayed: [(step: Running, due: Duration)] = []

    var count: Int { retried.count + delayed.count + waiting.values.reduce(0) { $0 + $1.count } }
    var steps: [Running] { retried + delayed.map(\.step) + waiting.values.joined() }
    /// Whether a step must be tried again by polling, since no event reports when it can start.
    var mustBeTried: Bool { !retried.isEmpty }

    /// The uptime of the next try at a result; nil if no step waits for one.
    var nextTry: Duration? { delayed.map(\.due).min() }

    /// Returns whether this worker computes that result, even if no step waits for it any more.
    func isMade(_ key: Key) -> Bool { waiting[key] != nil }

    mutating func add(_ step: Running) { retried.append(step) }

    mutating func add(_ step: Running, waitingFor key: Key) { waiting[key, default: []].append(step) }

    /// Removes and returns the steps to try again now.
    mutating func takeRetried(at now: Duration) -> [Running] {
        let due = delayed.filter { $0.due <= now }.map(\.step)
        delayed.removeAll { $0.due <= now }
        defer { retried = [] }
        return retried + due
    }

    /// Removes and returns the steps that wait for a result; nil if this worker doesn't compute it.
    mutating func take(waitingFor key: Key) -> [Running]? { waiting.removeValue(forKey: key) }

    /// Moves the steps that wait for a result to the retry list, since the body produced none.
    mutating func isNotMade(_ key: Key) { retried += waiting.removeValue(forKey: key) ?? [] }

    /// Lets the steps that wait for a result wait for the next try at it.
    mutating func isNotMade(_ key: Key, until due: Duration) {
        delayed += (waiting.removeValue(forKey: key) ?? []).map { ($0, due) }
    }

    /// Removes and returns the steps that satisfy a condition; a result in computation is completed without users.
    @discardableResult
    mutating func take(where isMeant: (Running) -> Bool) -> [Running] {
        let meant = steps.filter(isMeant)
        retried.removeAll(where: isMeant)
        delayed.removeAll { isMeant($0.step) }
        // Keep empty lists: the key marks the result as being computed.
        waiting = waiting.mapValues { $0.filter { !isMeant($0) } }
        return meant
    }
}
