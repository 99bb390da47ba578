import SteplineWorkflow

/// A slow model of a workflow whose tasks have rare states: it says which tasks may begin, and which of these does is
/// left to the machine.
struct TermsModel {
    /// A body that isn't over.
    struct Body {
        var hasReturned = false
        var hasReported = false
        /// The body is awaited for its grace only: its outcome is decided, or another attempt follows.
        var isBounded = false
    }

    struct Entry {
        var state: WorkflowTask.State
        var attempt = 0
        /// The next attempt is asked for.
        var isAsked = false
        var body: Body?
        /// A back-off follows the end of the body, unless a message comes before.
        var willBackOff = false
        var backsOff = false
        var hasPlaces = false
        /// Changes that are still to be told, the oldest first: whether something follows from each.
        var tellings: [Bool] = []
        var areListenersPending = false
        var startsAfterNotification = false
        var startsWhenReady = true
        var isFulfilled = false
        var hasBegun = false
        var isForgotten = false
        var isTimed = false
        /// Its deadline is over, and the failure that follows is on its way.
        var isOverdue = false
        /// The time of its attempt is over, and what follows is on its way.
        var hasTimedOut = false
        var ticket: UInt64?
    }

    let plans: [Plan]
    let limit: Int
    let capacity: Int
    let cancelsOthers: Bool
    var tasks: [Entry]
    var faults: [String] = []

    init(_ plans: [Plan], limit: Int, capacity: Int, cancelsOthers: Bool) {
        self.plans = plans
        self.limit = limit
        self.capacity = capacity
        self.cancelsOthers = cancelsOthers
        tasks = plans.map { Entry(state: $0.edges.isEmpty ? .ready : .pending) }
    }

    // MARK: Looking

    var states: [WorkflowTask.State] { tasks.map(\.state) }
    var live: Int { tasks.count { $0.body != nil } }
    var takenPlaces: Int { tasks.indices.reduce(0) { $0 + (tasks[$1].hasPlaces ? plans[$1].weight : 0) } }

    func isCondition(_ task: Int) -> Bool { if case .condition = plans[task].kind { true } else { false } }

    func isOpen(_ task: Int) -> Bool { [.pending, .ready, .executing].contains(tasks[task].state) }

    /// Whether something happens to it by itself.
    func isBusy(_ task: Int) -> Bool {
        let entry = tasks[task]
        return entry.isAsked || entry.body != nil || entry.backsOff || entry.areListenersPending
            || entry.state == .executing
    }

    func isOver(_ task: Int) -> Bool { !isOpen(task) && !isBusy(task) }

    /// Why a Pending task can't run by itself: 0 nothing, 1 a cancellation, 2 a failure.
    private func hindrance(_ task: Int) -> Int {
        guard tasks[task].state == .pending else { return 0 }
        return plans[task].edges.map { hindrance(by: $0) }.max() ?? 0
    }

    private func hindrance(by edge: Edge) -> Int {
        guard edge.need != .cleanUp else { return 0 }
        switch tasks[edge.prerequisite].state {
        case .failed: return edge.need == .anyEnd ? 0 : 2
        case .cancelled: return 1
        case .pending:
            let upstream = hindrance(edge.prerequisite)
            return edge.need == .anyEnd && upstream == 2 ? 0 : upstream
        case .ready, .executing, .finished: return 0
        }
    }

    private func isSatisfied(_ edge: Edge) -> Bool {
        let upstream = tasks[edge.prerequisite]
        let isReleased = [.finished, .failed].contains(upstream.state) && !upstream.areListenersPending
        switch edge.need {
        case .result: return isReleased && upstream.state == .finished
        case .anyEnd: return isReleased || hindrance(edge.prerequisite) == 2
        case .cleanUp: return isReleased || hindrance(edge.prerequisite) > 0 || upstream.state == .cancelled
        }
    }

    func isRunnable(_ task: Int) -> Bool { plans[task].edges.allSatisfy { isSatisfied($0) } }

    func downstream(of targets: [Int], toCleanups: Bool) -> [Int] {
        var reached = Set(targets)
        for task in plans.indices {
            let edges = plans[task].edges.filter { toCleanups || $0.need != .cleanUp }
            if edges.contains(where: { reached.contains($0.prerequisite) }) { reached.insert(task) }
        }
        return reached.sorted()
    }

    func followers(_ task: Int) -> [(Int, Need)] {
        plans.indices.flatMap { other in
            plans[other].edges.filter { $0.prerequisite == task && $0.need != .cleanUp }.map {
                (other, $0.need)
            }
        }
    }

    /// Whether a failure is one of the whole.
    func isFatal(_ task: Int) -> Bool {
        let followers = followers(task)
        return followers.isEmpty || followers.contains { $0.1 == .result && isFatal($0.0) }
    }

    func isRunning(_ task: Int, _ attempt: Int) -> Bool {
        tasks[task].state == .executing && tasks[task].attempt == attempt
    }

    /// Whether its next attempt may begin, as far as room isn't wanting.
    func mayBegin(_ task: Int) -> Bool {
        let entry = tasks[task]
        return entry.state == .ready && entry.isAsked && entry.body == nil && !isHeldByCleanup(task)
            && !isHeldByGuarded(task)
    }

    private func isHeldByGuarded(_ cleanup: Int) -> Bool {
        plans[cleanup].edges.contains { $0.need == .cleanUp && tasks[$0.prerequisite].body != nil }
    }

    private func isHeldByCleanup(_ task: Int) -> Bool {
        plans.indices.contains { cleanup in
            tasks[cleanup].body != nil
                && plans[cleanup].edges.contains { $0.prerequisite == task && $0.need == .cleanUp }
        }
    }

    // MARK: What the machine has chosen

    mutating func granted(_ task: Int) {
        if !mayBegin(task) { faults.append("places for \(task), which can't begin") }
        tasks[task].hasPlaces = true
        if takenPlaces > capacity { faults.append("too many places are taken") }
    }

    mutating func began(_ task: Int) {
        if !mayBegin(task) { faults.append("\(task) must not begin: \(tasks[task])") }
        if plans[task].weight > 0, !tasks[task].hasPlaces { faults.append("\(task) begins without places") }
        if !isCondition(task), live >= limit { faults.append("\(task) begins beyond the limit") }
        tasks[task].isAsked = false
        tasks[task].ticket = nil
        tasks[task].attempt += 1
        tasks[task].state = .executing
        tasks[task].hasBegun = true
        tasks[task].isTimed = plans[task].hasDeadline
        tasks[task].hasTimedOut = false
        guard case .condition(let fails) = plans[task].kind else { return tasks[task].body = Body() }
        tasks[task].hasPlaces = false
        if tasks[task].isFulfilled {
            decide(task, .finished)
        } else if fails {
            decide(task, .failed)
        }
        proceed()
    }
}
