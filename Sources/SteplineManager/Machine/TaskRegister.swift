import SteplineEngine
import SteplineSupport

/// All unfinished records, the totals, and the tasks that wait for idleness.
///
/// Adding and removing are amortized constant time. A removed record leaves a gap, and the list is compacted when three
/// quarters are gaps.
struct TaskRegister {
    private let manager: Int
    private var nextNumber = 0
    /// The records in order of addition; an ended record leaves a gap.
    private var all: [TaskRecord?] = []
    private(set) var unfinished = 0
    /// The number of records without an attempt.
    private(set) var notBegun = 0
    /// The number of records that only a call can move on: not started, or held without an age limit.
    private var unmoved = 0
    /// The number of pending notifications.
    private var telling = 0
    private var idleWaiters = Waiters()
    private(set) var totals = Totals()

    /// The numbers of ended records since the manager was created.
    struct Totals {
        var finished = 0, cancelled = 0, abandoned = 0
    }

    init(manager: Int) { self.manager = manager }

    /// The unfinished records, in order of addition.
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
        // First, so that the number of unmoved records never exceeds the unfinished ones.
        setUnmoved(record, false)
        all[record.listIndex] = nil
        unfinished -= 1
        if record.attempt.number == 0 { notBegun -= 1 }
        totals.finished += 1
        if isCancelled { totals.cancelled += 1 }
        // Compact at three quarters of gaps: amortized constant time per record.
        guard all.count > 64, all.count > 4 * unfinished else { return }
        all = all.filter { $0 != nil }
        for (index, record) in all.enumerated() { record?.listIndex = index }
    }

    /// Counts the first attempt of a record.
    mutating func hasBegun() { notBegun -= 1 }

    /// Counts a body that was given up.
    mutating func hasAbandoned() { totals.abandoned += 1 }

    mutating func setUnmoved(_ record: TaskRecord, _ isUnmoved: Bool) {
        // Callers set the mark without knowing its value: an unchanged mark must not count twice.
        guard record.isUnmoved != isUnmoved else { return }
        record.isUnmoved = isUnmoved
        unmoved += isUnmoved ? 1 : -1
    }

    // MARK: Idle

    /// Whether no task and no notification is in progress that continues by itself.
    var isIdle: Bool { unfinished == unmoved && telling == 0 }

    mutating func tells(_ count: Int) { telling += count }

    mutating func hasNotified() { telling -= 1 }

    /// Adds a waiter for idleness; returns false if the manager is idle.
    mutating func waitUntilIdle(_ waiter: any Waiter) -> Bool {
        guard !isIdle else { return false }
        idleWaiters.add(waiter)
        return true
    }

    mutating func removeWaiter(_ waiter: any Waiter) { idleWaiters.remove(waiter) }

    /// Returns the waiters to wake now.
    mutating func takeIdleWaiters() -> [any Waiter] {
        guard !idleWaiters.isEmpty, isIdle else { return [] }
        return idleWaiters.takeAll()
    }
}
