import SteplineSupport

/// What a worker is to run.
struct TaskJob {
    var index: Int32
    var attempt: UInt32
    var flags: TaskNode.Flags
    var work: TaskPart.Work

    static let none = TaskJob(index: -1, attempt: 0, flags: [], work: .nothing)
}

extension WorkflowState {
    /// A Ready task is to begin: at once if a thread is free, else when its turn comes.
    mutating func startReady(_ index: Int) {
        let flags = nodes[index].flags
        guard nodes[index].state == .ready, flags.isDisjoint(with: [.queued, .inLine]) else { return }
        if flags.contains(.backoff) { disarm(.attempt, of: index) }
        nodes[index].flags.remove(.backoff)
        if nodes[index].live != 0 {
            nodes[index].flags.insert(.startDue)
            if isHeard { recordWait(index, for: .lastBody) }
        } else {
            if isHeard { recordWait(index) }
            push(index)
        }
        recount(index)
    }

    /// Puts a task in the queue; its `queued` flag is what counts, so that a stale entry does nothing.
    ///
    /// Where somebody else may know of it, it gets a new ticket.
    @inline(__always)
    mutating func push(_ index: Int) {
        nodes[index].flags.remove(.startDue)
        nodes[index].flags.insert(.queued)
        if !nodes[index].flags.isDisjoint(with: [.handed, .hasPools]) { parts[index].ticket &+= 1 }
        if nodes[index].flags.contains(.onQueue) {
            hand(index)
        } else {
            queue.append(Int32(truncatingIfNeeded: index), priority: nodes[index].priority)
        }
    }

    /// Takes the next task that may begin, and begins its attempt.
    @inline(__always)
    mutating func take(into job: inout TaskJob) -> Bool {
        while liveBodies < limit, let number = queue.popFirst() {
            let index = Int(number)
            guard nodes[index].flags.contains(.queued), nodes[index].state == .ready else { continue }
            if nodes[index].flags.contains(.hasPools), !takePlaces(index) { continue }
            begin(index, &job)
            lookAhead()
            return true
        }
        return false
    }

    /// Begins an attempt that was handed to an operation queue.
    mutating func takeHanded(_ number: Int32, ticket: UInt32) -> TaskJob? {
        let node = nodes[Int(number)]
        guard node.flags.contains(.queued), node.state == .ready, parts[Int(number)].ticket == ticket
        else { return nil }
        guard liveBodies < limit else {
            putOff(Int(number))
            return nil
        }
        if node.flags.contains(.hasPools), !takePlaces(Int(number)) { return nil }
        var job = TaskJob.none
        begin(Int(number), &job)
        return job
    }

    @inline(__always)
    mutating func begin(_ index: Int, _ job: inout TaskJob) {
        nodes[index].flags.remove([.queued, .hasReturned, .bodyIsDone, .letGo])
        nodes[index].flags.insert(.began)
        nodes[index].attempt &+= 1
        nodes[index].live = nodes[index].attempt
        liveBodies += 1
        begun &+= 1
        set(index, .executing)
        eventCount &+= 1
        let flags = nodes[index].flags
        if flags.contains(.hasOptions) { armForAttempt(index) }
        if isHeard { emit(.started, index) }
        if isTold(index) { tell(index, .started, from: .ready) }
        job.index = Int32(truncatingIfNeeded: index)
        job.attempt = nodes[index].attempt
        job.flags = flags
        job.work = parts[index].work
    }

    /// Whether one more thread would find something to do.
    @inline(__always)
    var wantsWorker: Bool { !queue.isEmpty && workers < width && liveBodies < limit }

    /// Counts one more thread, if it would find something to do; the caller starts it.
    @inline(__always)
    mutating func claimWorker() -> Bool {
        guard wantsWorker else { return false }
        workers += 1
        return true
    }
}
