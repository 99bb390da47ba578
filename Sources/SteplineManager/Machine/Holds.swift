/// The tasks that each interceptor holds, oldest first.
///
/// The counts are exact. The lists also contain tasks that have ended meanwhile: a task that ends isn't searched for. A
/// list is cleared when its count reaches zero. Adding and ending are constant time.
struct Holds {
    private struct Hold {
        /// The held tasks, and tasks that ended while they were held.
        var records: [TaskRecord] = []
        var limits = HoldLimits()
    }

    private var holds: [Hold]
    /// The number of tasks that each interceptor holds.
    private(set) var counts: [Int]
    /// The settlements of interceptors that happened while the interceptors were asked about a task.
    ///
    /// The current task may yet be held by such an interceptor, and is then settled too.
    private var settlements: [Int: HoldSettlement] = [:]

    init(interceptors: Int) {
        holds = [Hold](repeating: Hold(), count: interceptors)
        counts = [Int](repeating: 0, count: interceptors)
    }

    var positions: Range<Int> { holds.indices }

    func limits(of position: Int) -> HoldLimits { holds[position].limits }

    /// Returns the task that was held first.
    func oldest(of position: Int) -> TaskRecord? {
        holds[position].records.first { $0.stage.isHeld(by: position) }
    }

    /// Returns all held tasks, oldest first.
    func held(by position: Int) -> [TaskRecord] {
        holds[position].records.filter { $0.stage.isHeld(by: position) }
    }

    mutating func add(_ record: TaskRecord, to position: Int, _ limits: HoldLimits) {
        holds[position].limits = limits
        holds[position].records.append(record)
        counts[position] += 1
    }

    /// Records the end of a held task; returns the records to release after unlock.
    mutating func hasEnded(_ position: Int) -> [TaskRecord] {
        // The ended record stays in the list until all are released: removing it would be linear.
        counts[position] -= 1
        // Nothing is held any more: the ended records in the list can be released.
        guard counts[position] == 0 else { return [] }
        return takeAll(of: position)
    }

    /// Clears an interceptor's list and returns it; the list may contain ended records.
    mutating func takeAll(of position: Int) -> [TaskRecord] {
        counts[position] = 0
        defer { holds[position].records = [] }
        return holds[position].records
    }

    // MARK: Settling

    /// Records a settlement; returns the replaced one for release after unlock.
    mutating func settle(_ position: Int, _ settlement: HoldSettlement) -> HoldSettlement? {
        settlements.updateValue(settlement, forKey: position)
    }

    func settlement(of position: Int) -> HoldSettlement? { settlements[position] }

    /// Clears all settlements and returns them for release after unlock.
    mutating func takeSettlements() -> [HoldSettlement] {
        guard !settlements.isEmpty else { return [] }
        defer { settlements = [:] }
        return Array(settlements.values)
    }
}

/// The end of the wait for which an interceptor held its tasks.
enum HoldSettlement: Sendable {
    /// The tasks are intercepted again, in their original form.
    case asksAgain
    case failed(any Error)
    case timedOut(Duration)
}
