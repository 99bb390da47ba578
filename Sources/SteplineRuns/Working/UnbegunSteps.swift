/// The steps that have a slot, and whose bodies can't begin yet.
struct UnbegunSteps {
    typealias Key = WorkerDesk.Key
    typealias Running = WorkerDesk.Running

    /// Those that wait for a result which is made here first, by the place of that.
    private var waiting: [Key: [Running]] = [:]
    /// Those that wait for an earlier body of theirs, which isn't over here.
    private var behind: [Running] = []

    var count: Int { behind.count + waiting.values.reduce(0) { $0 + $1.count } }
    var steps: [Running] { behind + waiting.values.joined() }
    /// Whether nobody tells when one of them can begin.
    var mustBeTried: Bool { !behind.isEmpty }

    /// Whether that result is made here, also if nobody is left who waits for it.
    func isMade(_ key: Key) -> Bool { waiting[key] != nil }

    mutating func add(_ step: Running) { behind.append(step) }

    mutating func add(_ step: Running, waitingFor key: Key) { waiting[key, default: []].append(step) }

    /// Takes out those that are tried again.
    mutating func takeBehind() -> [Running] {
        defer { behind = [] }
        return behind
    }

    /// Takes out those that wait for that result, whose body has ended; nil if it wasn't made here.
    mutating func take(waitingFor key: Key) -> [Running]? { waiting.removeValue(forKey: key) }

    /// No result comes of the body that was to make it: those that wait for it are tried again.
    mutating func isNotMade(_ key: Key) { behind += waiting.removeValue(forKey: key) ?? [] }

    /// Takes out those that satisfy a condition; what is made for them is made to its end, and for nobody.
    @discardableResult
    mutating func take(where isMeant: (Running) -> Bool) -> [Running] {
        let meant = steps.filter(isMeant)
        behind.removeAll(where: isMeant)
        waiting = waiting.mapValues { $0.filter { !isMeant($0) } }
        return meant
    }
}
