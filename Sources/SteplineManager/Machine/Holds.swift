/// What the interceptors hold, each in order of holding.
struct Holds {
    private struct Hold {
        /// Those that are held, and some that have ended meanwhile.
        var records: [TaskRecord] = []
        var limits = HoldLimits()
    }

    private var holds: [Hold]
    /// How many each of them holds.
    private(set) var counts: [Int]
    /// What became of an interceptor's wait while a task was being asked about, which it may yet hold.
    private var settlements: [Int: HoldSettlement] = [:]

    init(interceptors: Int) {
        holds = [Hold](repeating: Hold(), count: interceptors)
        counts = [Int](repeating: 0, count: interceptors)
    }

    var positions: Range<Int> { holds.indices }

    func limits(of position: Int) -> HoldLimits { holds[position].limits }

    /// The one that is held for longest.
    func oldest(of position: Int) -> TaskRecord? {
        holds[position].records.first { $0.stage.isHeld(by: position) }
    }

    /// All that are held, in order of holding.
    func held(by position: Int) -> [TaskRecord] {
        holds[position].records.filter { $0.stage.isHeld(by: position) }
    }

    mutating func add(_ record: TaskRecord, to position: Int, _ limits: HoldLimits) {
        holds[position].limits = limits
        holds[position].records.append(record)
        counts[position] += 1
    }

    /// One that was held has ended; what is to be let go.
    mutating func hasEnded(_ position: Int) -> [TaskRecord] {
        counts[position] -= 1
        guard counts[position] == 0 else { return [] }
        return takeAll(of: position)
    }

    /// Lets go of all; those that are held are among them.
    mutating func takeAll(of position: Int) -> [TaskRecord] {
        counts[position] = 0
        defer { holds[position].records = [] }
        return holds[position].records
    }

    // MARK: Settling

    /// Notes a settlement; the one that it takes the place of is to be let go.
    mutating func settle(_ position: Int, _ settlement: HoldSettlement) -> HoldSettlement? {
        settlements.updateValue(settlement, forKey: position)
    }

    func settlement(of position: Int) -> HoldSettlement? { settlements[position] }

    /// Forgets them all; those that there were are to be let go.
    mutating func takeSettlements() -> [HoldSettlement] {
        guard !settlements.isEmpty else { return [] }
        defer { settlements = [:] }
        return Array(settlements.values)
    }
}

/// What has become of what an interceptor held its tasks for.
enum HoldSettlement: Sendable {
    /// They pass the interceptors again, as they were added.
    case asksAgain
    case failed(any Error)
    case timedOut(Duration)
}
