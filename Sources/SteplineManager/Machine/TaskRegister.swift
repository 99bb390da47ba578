import SteplineEngine
import SteplineSupport

/// Who is there, how many have ended, and who waits for nothing to be in flight.
struct TaskRegister {
    private let manager: Int
    private var nextNumber = 0
    /// In order of adding; who has ended leaves a gap.
    private var all: [TaskRecord?] = []
    private(set) var unfinished = 0
    /// How many have not begun an attempt.
    private(set) var notBegun = 0
    /// How many only somebody could move: not started, or held without an age limit.
    private var unmoved = 0
    /// Callbacks on their way.
    private var telling = 0
    private var idleWaiters = Waiters()
    private(set) var totals = Totals()

    /// How many have ended since the manager was made.
    struct Totals {
        var finished = 0, cancelled = 0, abandoned = 0
    }

    init(manager: Int) { self.manager = manager }

    /// All that have not ended, in order of adding.
    var tasks: [TaskRecord] { all.compactMap { $0 } }

    mutating func add(_ record: TaskRecord) {
        record.identifier = ManagedTaskID(manager: manager, number: nextNumber)
        nextNumber += 1
        record.listIndex = all.count
        all.append(record)
        unfinished += 1
        notBegun += 1
    }

    mutating func remove(_ record: TaskRecord, isCancelled: Bool) {
        setUnmoved(record, false)
        all[record.listIndex] = nil
        unfinished -= 1
        if record.attempt.number == 0 { notBegun -= 1 }
        totals.finished += 1
        if isCancelled { totals.cancelled += 1 }
        guard all.count > 64, all.count > 4 * unfinished else { return }
        all = all.filter { $0 != nil }
        for (index, record) in all.enumerated() { record?.listIndex = index }
    }

    /// A first attempt begins.
    mutating func hasBegun() { notBegun -= 1 }

    /// A body went on for longer than anybody waits for it.
    mutating func hasAbandoned() { totals.abandoned += 1 }

    mutating func setUnmoved(_ record: TaskRecord, _ isUnmoved: Bool) {
        guard record.isUnmoved != isUnmoved else { return }
        record.isUnmoved = isUnmoved
        unmoved += isUnmoved ? 1 : -1
    }

    // MARK: Idle

    /// Whether nothing is in flight that goes on by itself.
    var isIdle: Bool { unfinished == unmoved && telling == 0 }

    mutating func tells(_ count: Int) { telling += count }

    mutating func hasTold() { telling -= 1 }

    /// Keeps who waits for nothing to be in flight; false if nothing is.
    mutating func waitUntilIdle(_ waiter: any Waiter) -> Bool {
        guard !isIdle else { return false }
        idleWaiters.add(waiter)
        return true
    }

    mutating func removeWaiter(_ waiter: any Waiter) { idleWaiters.remove(waiter) }

    /// Who is to be woken now.
    mutating func takeIdleWaiters() -> [any Waiter] {
        guard !idleWaiters.isEmpty, isIdle else { return [] }
        return idleWaiters.takeAll()
    }
}
