import SteplineEngine

/// A task on an external queue.
struct ExternalTask: Sendable {
    let number: Int32
    let ticket: UInt64
    /// The attempt, if it has begun: another thread has notified its listeners.
    var job: TaskJob?
}

/// The tasks on external queues: operation queues and executors.
///
/// A task has at most one ticket, which is good for one begin. A call with an old ticket does nothing.
///
/// | Event | Ticket |
/// | --- | --- |
/// | the task is enqueued, or released after it was deferred | a new one, in `fresh` until the end of the transaction |
/// | the queue calls | used; at the limit of live bodies a new one, in `deferred` |
/// | the queued task is stopped, or its queue drops it | void |
///
/// An entry can't be taken out of a user's queue. The ticket tells whether the entry still counts when the queue calls.
/// All operations are constant time, amortized.
struct ExternalTasks {
    private var tickets: [Int32: UInt64] = [:]
    private var lastTicket: UInt64 = 0
    private var fresh: [ExternalTask] = []
    /// Tasks that a queue began while the limit of live bodies was reached.
    private var deferred = FIFO<ExternalTask>()
    /// How many tickets have become void since void entries of `deferred` were removed, at most.
    private var voided = 0

    mutating func add(_ number: Int32, _ job: TaskJob? = nil) {
        fresh.append(ExternalTask(number: number, ticket: newTicket(for: number), job: job))
    }

    private mutating func newTicket(for number: Int32) -> UInt64 {
        lastTicket += 1
        tickets[number] = lastTicket
        return lastTicket
    }

    /// Uses a ticket; false if it isn't good.
    mutating func use(_ ticket: UInt64, of number: Int32) -> Bool {
        guard !tickets.isEmpty, tickets[number] == ticket else { return false }
        tickets[number] = nil
        return true
    }

    /// Makes the ticket of a task void.
    mutating func void(_ number: Int32) {
        // The entry may be in `deferred` or in a user's queue. Counted in both cases, so `voided` is an upper bound.
        guard !tickets.isEmpty, tickets.removeValue(forKey: number) != nil, !deferred.isEmpty else { return }
        voided += 1
        guard voided > 64, 2 * voided > deferred.count else { return }
        voided = 0
        // Half of the entries may be void here, so removal is constant time per stop, amortized.
        deferred.removeAll { tickets[$0.number] != $0.ticket }
    }

    mutating func deferTask(_ number: Int32) {
        // The call of the queue has used its ticket; a new one makes a stop find this entry.
        deferred.append(ExternalTask(number: number, ticket: newTicket(for: number)))
    }

    /// Whether a task waits for the end of any body.
    @inline(__always)
    var hasDeferred: Bool { !deferred.isEmpty }

    /// The number of deferred tasks, with void entries that haven't been removed.
    var deferredCount: Int { deferred.count }

    /// Dequeues the next deferred task whose ticket is good; nil if there is none.
    mutating func nextDeferred() -> Int32? {
        while let next = deferred.popFirst() {
            if use(next.ticket, of: next.number) { return next.number }
        }
        return nil
    }

    /// Takes all tasks that are to be submitted, as one batch.
    mutating func takeFresh() -> [ExternalTask]? {
        guard !fresh.isEmpty else { return nil }
        defer { fresh = [] }
        return fresh
    }
}
