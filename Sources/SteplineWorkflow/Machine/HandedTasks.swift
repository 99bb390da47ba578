import SteplineEngine

/// A task on its way to an operation queue or to the executor.
struct HandedTask: Sendable {
    let number: Int32
    let ticket: UInt64
    /// The attempt, if it has begun: it was told of by another thread, and comes here for its body.
    var job: TaskJob?
}

/// The tasks whose bodies run elsewhere: in operation queues and executors.
///
/// A ticket is good for one run; what comes with an old one does nothing. A task has one at most.
struct HandedTasks {
    private var tickets: [Int32: UInt64] = [:]
    private var lastTicket: UInt64 = 0
    private var fresh: [HandedTask] = []
    /// Tasks whose turn has come while as many bodies were live as may be.
    private var putOff = FIFO<HandedTask>()
    /// How many tickets have become void since void entries of `putOff` were removed, at most.
    private var voided = 0

    mutating func add(_ number: Int32, _ job: TaskJob? = nil) {
        fresh.append(HandedTask(number: number, ticket: newTicket(for: number), job: job))
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

    /// The task doesn't wait any more, wherever it does.
    mutating func void(_ number: Int32) {
        guard !tickets.isEmpty, tickets.removeValue(forKey: number) != nil, !putOff.isEmpty else { return }
        voided += 1
        guard voided > 64, 2 * voided > putOff.count else { return }
        voided = 0
        putOff.removeAll { tickets[$0.number] != $0.ticket }
    }

    mutating func putOff(_ number: Int32) {
        putOff.append(HandedTask(number: number, ticket: newTicket(for: number)))
    }

    /// Whether somebody waits until a body is over, whosever that is.
    @inline(__always)
    var hasPutOff: Bool { !putOff.isEmpty }

    /// The number of deferred tasks, with void entries that haven't been removed.
    var putOffCount: Int { putOff.count }

    /// The next of those that were put off, and haven't left since; nil if there is none.
    mutating func nextPutOff() -> Int32? {
        while let next = putOff.popFirst() {
            if use(next.ticket, of: next.number) { return next.number }
        }
        return nil
    }

    /// All who go now, in one batch.
    mutating func takeFresh() -> [HandedTask]? {
        guard !fresh.isEmpty else { return nil }
        defer { fresh = [] }
        return fresh
    }
}
