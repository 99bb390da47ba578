import Stepline

/// A slow and obvious model of a workflow: no counts, no marks, everything looked up again.
///
/// Bodies begin at once when they may, and go on until they are ended from outside.
struct WorkflowModel {
    let prerequisites: [[Int]]
    let conditions: Set<Int>
    var states: [WorkflowTask.State]
    var attempts: [Int]
    var fulfilled: Set<Int> = []

    init(prerequisites: [[Int]], conditions: Set<Int>) {
        self.prerequisites = prerequisites
        self.conditions = conditions
        states = prerequisites.map { $0.isEmpty ? .ready : .pending }
        attempts = prerequisites.map { _ in 0 }
    }

    enum Message: CaseIterable { case start, cancel, reset, retry, finish, fail, fulfill }

    func downstream(of task: Int) -> [Int] {
        prerequisites.indices.filter { $0 == task || isUpstream(task, of: $0) }
    }

    private func isUpstream(_ task: Int, of other: Int) -> Bool {
        guard task < other else { return false }
        return prerequisites[other].contains { $0 == task || isUpstream(task, of: $0) }
    }

    private func isRunnable(_ task: Int) -> Bool {
        prerequisites[task].allSatisfy { states[$0] == .finished }
    }

    mutating func send(_ message: Message, to task: Int) {
        switch message {
        case .start: if states[task] == .ready { begin(task) }
        case .cancel:
            for other in downstream(of: task) where [.pending, .ready, .executing].contains(states[other]) {
                states[other] = .cancelled
            }
        case .reset:
            for other in downstream(of: task) {
                states[other] = .pending
                fulfilled.remove(other)
            }
            for other in downstream(of: task) where isRunnable(other) { states[other] = .ready }
        case .retry: retry(task)
        case .finish:
            guard !conditions.contains(task), states[task] == .executing else { return }
            finish(task)
        case .fail:
            if states[task] == .executing { states[task] = .failed }
        case .fulfill: fulfill(task)
        }
    }

    private mutating func retry(_ task: Int) {
        let changed = downstream(of: task).filter { states[$0] == .failed || states[$0] == .cancelled }
        for other in changed { states[other] = .pending }
        for other in changed where isRunnable(other) && states[other] == .pending {
            states[other] = .ready
            begin(other)
        }
    }

    private mutating func begin(_ task: Int) {
        states[task] = .executing
        attempts[task] += 1
        if fulfilled.contains(task) { finish(task) }
    }

    private mutating func finish(_ task: Int) {
        states[task] = .finished
        for other in prerequisites.indices
        where prerequisites[other].contains(task) && states[other] == .pending && isRunnable(other) {
            states[other] = .ready
            begin(other)
        }
    }

    private mutating func fulfill(_ task: Int) {
        guard conditions.contains(task), fulfilled.insert(task).inserted else { return }
        switch states[task] {
        case .ready: begin(task)
        case .executing: finish(task)
        case .failed, .cancelled: retry(task)
        default: break
        }
    }
}
