/// The steps that occupy a slot but whose bodies can't start yet.
struct UnbegunSteps {
    typealias Key = WorkerSession.Key
    typealias Running = WorkerSession.Running

    /// Steps that wait for a result that this worker must compute first, by the task that computes it.
    private var waiting: [Key: [Running]] = [:]
    /// Steps that wait for an earlier body of the same task in this process.
    private var retried: [Running] = []

    var count: Int { retried.count + waiting.values.reduce(0) { $0 + $1.count } }
    var steps: [Running] { retried + waiting.values.joined() }
    /// Whether a step must be tried again by polling, since no event reports when it can start.
    var mustBeTried: Bool { !retried.isEmpty }

    /// Returns whether this worker computes that result, even if no step waits for it any more.
    func isMade(_ key: Key) -> Bool { waiting[key] != nil }

    mutating func add(_ step: Running) { retried.append(step) }

    mutating func add(_ step: Running, waitingFor key: Key) { waiting[key, default: []].append(step) }

    /// Removes and returns the steps to try again.
    mutating func takeRetried() -> [Running] {
        defer { retried = [] }
        return retried
    }

    /// Removes and returns the steps that wait for a result; nil if this worker doesn't compute it.
    mutating func take(waitingFor key: Key) -> [Running]? { waiting.removeValue(forKey: key) }

    /// Moves the steps that wait for a result to the retry list, since the body produced none.
    mutating func isNotMade(_ key: Key) { retried += waiting.removeValue(forKey: key) ?? [] }

    /// Removes and returns the steps that satisfy a condition; a result in computation is completed without users.
    @discardableResult
    mutating func take(where isMeant: (Running) -> Bool) -> [Running] {
        let meant = steps.filter(isMeant)
        retried.removeAll(where: isMeant)
        // Keep empty lists: the key marks the result as being computed.
        waiting = waiting.mapValues { $0.filter { !isMeant($0) } }
        return meant
    }
}
