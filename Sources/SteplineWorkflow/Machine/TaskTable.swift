import CProcessor
import SteplineEngine
import SteplineSupport

/// The state, attempt and result of each task, with counts over all tasks.
///
/// The nodes are private: every change of a state or attempt goes through this table, so the counts are right. What a
/// change means for listeners is decided in `WorkflowMachine+Transitions.swift`.
///
/// A task has two parts. ``TaskNode`` is small and read at each change of a neighbour. ``TaskPart`` holds the body and
/// the result, which are user objects: a method that removes one returns it, and the caller releases it after unlock.
///
/// | Count | Read by |
/// | --- | --- |
/// | `busy` | the end of each transaction: 0 settles the run |
/// | `live` | each begin: the limit bounds it |
/// | `openLeaves` | each change of a leaf: 0 completes the workflow |
/// | `counts` | the status, the report and shortcuts of walks |
struct TaskTable {
    private var nodes = ContiguousArray<TaskNode>()
    private var parts = ContiguousArray<TaskPart>()

    /// How many tasks are in each state, forgotten ones left out.
    private(set) var counts = StateCounts()
    /// Tasks that will change by themselves.
    private(set) var busy = 0
    /// Bodies that have begun and aren't over.
    private(set) var live = 0
    /// Tasks without dependents that aren't Finished.
    private(set) var openLeaves = 0
    /// The number of cleanups that were cancelled as they weren't needed.
    private(set) var unneeded = 0
    private(set) var forgotten = 0
    /// How many attempts have begun.
    private(set) var begun = 0

    var count: Int32 { Int32(truncatingIfNeeded: nodes.count) }
    /// All tasks but those that were emptied.
    private(set) var all = TaskNumbers()

    /// A task as it stands.
    @inline(__always)
    subscript(_ number: Int32) -> TaskNode { nodes[Int(number)] }

    func work(_ number: Int32) -> TaskPart.Work { parts[Int(number)].work }
    func value(_ number: Int32) -> (any Sendable)? { parts[Int(number)].value }
    func endedAt(_ number: Int32) -> Instant { parts[Int(number)].endedAt }

    /// The result of a Finished task.
    func result(_ number: Int32) -> (any Sendable)? {
        self[number].state == .finished ? parts[Int(number)].value : nil
    }

    /// The failure of a Failed task.
    func failure(_ number: Int32) -> TaskFailure? {
        self[number].state == .failed ? parts[Int(number)].value as? TaskFailure : nil
    }

    /// Copies the result of a Finished task to `place` if it has exactly this type; returns false otherwise.
    ///
    /// Compares two pointers, which takes a tenth of a dynamic cast.
    @inline(__always)
    func copyResult(_ number: Int32, as type: Any.Type, to place: UnsafeMutableRawPointer) -> Bool {
        func copy<Value>(_ value: Value) -> Bool {
            guard Value.self == type else { return false }
            place.initializeMemory(as: Value.self, to: value)
            return true
        }
        guard self[number].state == .finished, let value = parts[Int(number)].value else { return false }
        return copy(value)
    }

    // MARK: Prefetching

    /// Loads the two parts of a task into the processor's cache.
    @inline(__always)
    func prefetch(_ number: Int32) {
        prefetchNode(number)
        parts.withUnsafeBufferPointer { cprocessor_prefetch($0.baseAddress! + Int(number)) }
    }

    @inline(__always)
    func prefetchNode(_ number: Int32) {
        nodes.withUnsafeBufferPointer { cprocessor_prefetch($0.baseAddress! + Int(number)) }
    }

    /// Loads the values that the closure of a task captures into the processor's cache.
    @inline(__always)
    func prefetchCaptures(_ number: Int32) {
        // The second word of a closure is the address of its captures. For other work this is some other word, and a
        // prefetch of a wrong address does nothing.
        parts.withUnsafeBytes { parts in
            let place = Int(number) * MemoryLayout<TaskPart>.stride + MemoryLayout<UInt>.size
            cprocessor_prefetch(
                UnsafeRawPointer(bitPattern: parts.load(fromByteOffset: place, as: UInt.self)))
        }
    }

    // MARK: Adding

    mutating func append(
        _ node: TaskNode, _ work: consuming TaskPart.Work, _ resultType: (any Sendable.Type)?
    ) {
        counts[node.state] += 1
        if node.isOpenLeaf { openLeaves += 1 }
        nodes.append(node)
        parts.append(TaskPart(work: work, value: resultType.map { ResultType($0) }))
        all.append()
    }

    /// Sets the state that a task object had before it was added.
    mutating func takeOver(_ past: TaskPast, _ number: Int32, endedAt: Instant) {
        change(number) { $0.attempt = Attempt(after: past.attempt) }
        setState(past.state, number)
        // An open task keeps the `ResultType` that `append` has stored as its value.
        guard [.finished, .failed, .cancelled].contains(past.state) else { return }
        _ = stop(number)
        parts[Int(number)].value = past.value
        // The value of a cancelled task is the reason, without a date.
        if past.state != .cancelled { parts[Int(number)].endedAt = endedAt }
    }

    /// Sets the state that a task had when its run was interrupted; an open task is Pending.
    ///
    /// A body that is live keeps its attempt.
    mutating func restore(_ task: RestoredTask, endedAt: Instant) {
        restore(task, Int32(task.number), endedAt: endedAt)
    }

    /// The same for the task of a number.
    mutating func restore(_ task: RestoredTask, _ number: Int32, endedAt: Instant) {
        change(number) { node in
            if !node.attempt.hasBody {
                // Continues the numbering: the store knows ends by attempt numbers.
                node.attempt = Attempt(
                    after: UInt32(task.attempt), failures: UInt16(clamping: task.failures))
            }
            if task.attempt > 0 { node.facts.formUnion([.began, .begunBefore]) }
        }
        switch task.state {
        case .open, .awaiting, .waiting: return setState(.pending, number)
        case .finished(let value): finish(number, with: value, at: endedAt)
        case .failed(let error): fail(number, with: TaskFailure(error), at: endedAt)
        case .cancelled: setState(.cancelled, number)
        }
        _ = stop(number)
    }

    /// Uses up the number of an attempt.
    mutating func skipAttempt(_ number: Int32) { change(number) { $0.attempt.skip() } }

    /// Has the next attempt wait for its back-off.
    mutating func backOff(_ number: Int32) { change(number) { $0.attempt.backOff() } }

    @inline(__always)
    mutating func hasDependent(_ number: Int32) {
        if nodes[Int(number)].isLeaf { change(number) { $0.isLeaf = false } }
    }

    // MARK: Small changes

    mutating func insert(_ trait: TaskNode.Traits, _ number: Int32) {
        // Without `change`: the traits that `live` depends on are fixed when the task is added.
        nodes[Int(number)].traits.insert(trait)
    }

    mutating func remove(_ trait: TaskNode.Traits, _ number: Int32) {
        nodes[Int(number)].traits.remove(trait)
    }

    mutating func insert(_ fact: TaskNode.Facts, _ number: Int32) {
        change(number) { $0.facts.insert(fact) }
    }

    mutating func remove(_ fact: TaskNode.Facts, _ number: Int32) {
        change(number) { $0.facts.remove(fact) }
    }

    mutating func setBlockage(_ blockage: TaskNode.Blockage, _ number: Int32) {
        nodes[Int(number)].blockage = blockage
    }

    mutating func setMissing(_ missing: Int32, _ number: Int32) { nodes[Int(number)].missing = missing }

    /// Counts one prerequisite as satisfied; returns whether that was the last one of a Pending task.
    @inline(__always)
    mutating func satisfyOne(_ number: Int32) -> Bool {
        // Without `change`: no count depends on `missing`.
        nodes[Int(number)].missing -= 1
        let node = nodes[Int(number)]
        return node.missing == 0 && node.state == .pending
    }

    // MARK: The life of an attempt

    /// Enqueues an attempt; returns false if it waits for its last body, or is queued already.
    @inline(__always)
    mutating func enqueue(_ number: Int32) -> Bool { change(number) { $0.attempt.enqueue() } }

    /// Begins the queued attempt, and returns its number.
    @inline(__always)
    mutating func begin(_ number: Int32) -> UInt32? {
        begun &+= 1
        setState(.executing, number)
        return change(number) { node in
            node.facts.subtract([.released, .begunBefore])
            node.facts.insert(.began)
            return node.attempt.begin()
        }
    }

    @inline(__always)
    mutating func end(
        _ number: Int32, _ attempt: UInt32, _ outcome: Attempt.Outcome, by source: Attempt.Source
    ) -> Attempt.Step? {
        change(number) { $0.attempt.end(attempt, outcome, by: source) }
    }

    @inline(__always)
    mutating func bodyReturned(_ number: Int32, _ attempt: UInt32, isOver: Bool) -> Attempt.Step {
        change(number) { $0.attempt.bodyReturned(attempt, isOver: isOver) }
    }

    mutating func bodyReported(_ number: Int32, _ attempt: UInt32) -> Attempt.Step {
        change(number) { $0.attempt.bodyReported(attempt) }
    }

    mutating func giveUpBody(_ number: Int32) -> Attempt.Step {
        change(number) { $0.attempt.giveUpBody($0.attempt.number) }
    }

    mutating func stop(_ number: Int32) -> Attempt.Stopped { change(number) { $0.attempt.stop() } }

    mutating func renew(_ number: Int32) { change(number) { $0.attempt.renew() } }

    // MARK: Plain tasks

    // The fast path for tasks without traits. Each method performs a whole transition, including the counts. It returns
    // false or nil, without any change, if the task has traits or other facts, or is in another state. The caller then
    // uses the methods for all tasks, which have the same result.

    /// Makes a Pending task Ready, and enqueues its first attempt.
    @inline(__always)
    mutating func enqueuePlain(_ number: Int32) -> Bool {
        guard nodes[Int(number)].enqueuePlain() else { return false }
        busy &+= 1
        counts.move(from: .pending, to: .ready)
        return true
    }

    /// Begins the queued attempt of a Ready task, and returns its number.
    @inline(__always)
    mutating func beginPlain(_ number: Int32) -> UInt32? {
        guard let attempt = nodes[Int(number)].beginPlain() else { return nil }
        begun &+= 1
        live &+= 1
        counts.move(from: .ready, to: .executing)
        return attempt
    }

    /// Finishes an Executing task whose body is over; swaps its old value with `value`, the result.
    @inline(__always)
    mutating func finishPlain(
        _ number: Int32, _ attempt: UInt32, _ value: inout (any Sendable)?, at time: Instant
    ) -> Bool {
        guard nodes[Int(number)].finishPlain(attempt) else { return false }
        parts[Int(number)].finish(&value, at: time)
        busy &-= 1
        live &-= 1
        counts.move(from: .executing, to: .finished)
        if self[number].isLeaf { openLeaves &-= 1 }
        return true
    }

    // MARK: Ends

    @inline(__always)
    mutating func finish(_ number: Int32, with value: consuming (any Sendable)?, at time: Instant) {
        setState(.finished, number)
        parts[Int(number)].finish(&value, at: time)
    }

    mutating func fail(_ number: Int32, with failure: TaskFailure, at time: Instant) {
        setState(.failed, number)
        parts[Int(number)].value = failure
        parts[Int(number)].endedAt = time
    }

    mutating func cancel(_ number: Int32, for reason: CancellationReason) -> Attempt.Stopped {
        setState(.cancelled, number)
        parts[Int(number)].value = reason
        return stop(number)
    }

    mutating func isNotNeeded(_ number: Int32, for reason: CancellationReason) {
        unneeded += 1
        change(number) { $0.facts.insert(.unneeded) }
        _ = cancel(number, for: reason)
    }

    /// Takes a task back to Pending, and returns its result or error, to be released after unlock.
    mutating func clear(_ number: Int32) -> (any Sendable)? {
        // Before `change` removes the fact.
        if nodes[Int(number)].facts.contains(.unneeded) { unneeded -= 1 }
        change(number) { node in
            node.facts.remove([.began, .unneeded])
            node.attempt.renew()
        }
        setState(.pending, number)
        defer { parts[Int(number)].value = nil }
        return parts[Int(number)].value
    }

    /// Excludes a task from the counts and from all messages.
    mutating func hide(_ number: Int32) {
        // Not in `change`, which leaves the counts by state alone.
        counts[self[number].state] -= 1
        if self[number].facts.contains(.unneeded) { unneeded -= 1 }
        forgotten += 1
        change(number) { $0.facts.insert(.forgotten) }
    }

    /// Removes the body and the result of a task, to be released after unlock.
    mutating func empty(_ number: Int32, keepingValue: Bool = false) -> TaskPart {
        let part = parts[Int(number)]
        parts[Int(number)].work = .nothing
        // The workflow was freed, but references to its tasks still read results.
        guard !keepingValue else { return part }
        parts[Int(number)].value = nil
        // Once per task: a second `remove` of a number would make a wrong gap.
        if nodes[Int(number)].facts.insert(.emptied).inserted { all.remove(number) }
        return part
    }

    /// Removes the results of all tasks.
    mutating func takeValues() -> [any Sendable] {
        parts.indices.compactMap { parts[$0].value.take() }
    }

    // MARK: Counting

    /// Changes a task's attempt or facts.
    @inline(__always)
    @discardableResult
    private mutating func change<Answer>(_ number: Int32, _ change: (inout TaskNode) -> Answer) -> Answer {
        let index = Int(number)
        // Compared before and after, so the counts are right whatever `change` does.
        let (wasBusy, hadBody, wasOpen) = (nodes[index].isBusy, nodes[index].hasBody, nodes[index].isOpenLeaf)
        let answer = change(&nodes[index])
        let node = nodes[index]
        if node.isBusy != wasBusy { busy &+= wasBusy ? -1 : 1 }
        if node.hasBody != hadBody { live &+= hadBody ? -1 : 1 }
        if node.isOpenLeaf != wasOpen { openLeaves &+= wasOpen ? -1 : 1 }
        return answer
    }

    /// Changes a task's state, and nothing about its attempt.
    @inline(__always)
    mutating func setState(_ state: WorkflowTask.State, _ number: Int32) {
        let index = Int(number)
        // `busy` and `live` depend on the attempt and the facts, and not on the state.
        let wasOpen = nodes[index].isOpenLeaf
        counts.move(from: nodes[index].state, to: state)
        nodes[index].state = state
        if nodes[index].isOpenLeaf != wasOpen { openLeaves &+= wasOpen ? -1 : 1 }
    }
}
