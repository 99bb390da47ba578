import SteplineEngine
import SteplineSupport

/// The facts for the explanation of a task's state.
///
/// The facts are copied under the lock. The text is created after unlock, because an error's description is user code.
struct TaskFacts {
    let subject: String
    let since: Instant
    let attempt: Int
    let reason: Reason

    enum Reason {
        case waits(Explanation.Code, causes: [String] = [], String)
        case ended(TaskState.End, TaskManagerError?)
    }

    func explanation(at now: Instant) -> Explanation {
        let time = (now - since).shortText
        switch reason {
        case .waits(let code, let causes, let text):
            return Explanation(
                of: subject, code, causes: causes, attempt: attempt > 0 ? attempt : nil,
                "\(text), for \(time)")
        case .ended(let end, let error):
            let text = error?.predicate ?? "\(end.rawValue) in attempt \(attempt)"
            return Explanation(
                of: subject, end.explanation, attempt: attempt > 0 ? attempt : nil, "\(text), \(time) ago")
        }
    }
}

extension TaskState.End {
    fileprivate var explanation: Explanation.Code {
        switch self {
        case .succeeded: .succeeded
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }
}

extension ManagerMachine {
    func facts(of record: TaskRecord) -> TaskFacts {
        TaskFacts(
            subject: "\(record.name) (\(record.identifier))", since: record.since,
            attempt: record.attemptNumber, reason: reason(of: record))
    }

    private func reason(of record: TaskRecord) -> TaskFacts.Reason {
        switch record.stage {
        case .notStarted: return .waits(.notStarted, "waits for start()")
        case .delayed:
            return .waits(.delayed, "waits for the end of its delay of \(record.terms.delay.shortText)")
        case .awaitingTurn:
            // The position may change at any time: the runner stores it without the lock.
            let name = interception.current.map { _ in rules.interceptors[interception.progress.position] }
            let after = interception.current.map { ", after \($0.name) at \(name ?? "")" } ?? ""
            return .waits(
                .interception, causes: name.map { [$0] } ?? [],
                "waits for its turn with the interceptors" + after)
        case .intercepting:
            let name = rules.interceptors[interception.progress.position]
            return .waits(.interception, causes: [name], "waits for the answer of the interceptor \(name)")
        case .held(let holder):
            let name = rules.interceptors[holder]
            return .waits(.held, causes: [name], "is held by \(name) with \(limits(of: holder))")
        case .ready: return whyReady(record)
        case .executing:
            if case .running(.returned) = record.attempt.phase {
                // The body returned and its completion wasn't called.
                let attempt = record.attemptNumber
                return .waits(.running, "waits for the completion of attempt \(attempt) to be called")
            }
            return .waits(.running, "executes attempt \(record.attemptNumber)")
        case .asked: return .waits(.reaction, "waits for the reactors' answers")
        case .reacting:
            let names = self.runs(of: record)
            return .waits(
                .reaction, causes: names, "waits for the runs of \(names.joined(separator: ", "))")
        case .backingOff:
            let wait = (record.reaction?.backoff ?? .zero).shortText
            return .waits(.backingOff, "waits for the end of its back-off of \(wait)")
        case .ended(let end): return .ended(end, record.endError)
        }
    }

    private func limits(of holder: Int) -> String {
        let limits = holds.limits(of: holder)
        let count = limits.count.map { "at most \($0)" }
        let age = limits.age.map { "at most \($0.shortText)" }
        let text = [count, age].compactMap { $0 }.joined(separator: ", ")
        return "\(holds.counts[holder] - 1) others, " + (text.isEmpty ? "without limits" : text)
    }

    private func whyReady(_ record: TaskRecord) -> TaskFacts.Reason {
        // A parked record waits for its lane, not in the line of ready tasks.
        if record.stand.isParked, let lane = record.stand.lane {
            let text =
                "waits for \(lane.name), where \(ready.taken(of: lane)) of \(lane.limit) are under way"
            return .waits(.queued, causes: [lane.name], text)
        }
        switch state(of: record) {
        case .pending(.pause), .executing(.pause):
            return .waits(.paused, "waits for the manager to be resumed")
        case .pending(.suspension), .executing(.suspension):
            let names = rules.reactors.enumerated().filter { runs.run(of: $0.offset)?.suspends == true }
                .map(\.element)
            return .waits(
                .suspended, causes: names,
                "waits for the suspending run of " + names.joined(separator: ", "))
        default:
            let before = tasksBefore(record)
            let (text, names) = slots
            return .waits(.queued, causes: names, "waits for a slot, after \(before) others: " + text)
        }
    }

    /// Returns the number of ready tasks that precede a task.
    private func tasksBefore(_ record: TaskRecord) -> Int {
        // Tasks of a reactor's run precede all other tasks.
        func rank(_ record: TaskRecord) -> Int {
            // 100 is more than the number of ranks in `ReadyLine`.
            (record.terms.reactor != nil ? 0 : 100) + ReadyLine.rank(of: record)
        }
        return register.tasks.count { other in
            guard case .ready = other.stage, other !== record, !other.stand.isParked else { return false }
            let (one, two) = (rank(other), rank(record))
            return one != two ? one < two : other.order < record.order
        }
    }

    /// The usage of the slots.
    private var slots: (text: String, names: [String]) {
        let holders = register.tasks.filter { record in
            // A body that lent its slot occupies none.
            if case .executing = record.stage { record.stand.lends == 0 } else { false }
        }
        let names = holders.prefix(3).map { "\($0.name) (\($0.identifier))" }
        let taken = "\(ready.live) of \(ready.limit.map(String.init) ?? "any number") are taken"
        let list = names.isEmpty ? "" : ", by " + names.joined(separator: ", ")
        return (taken + list + (holders.count > 3 ? " and others" : ""), names)
    }

    private func runs(of record: TaskRecord) -> [String] {
        let numbers = record.reaction?.runs ?? []
        return rules.reactors.enumerated()
            .filter { runs.run(of: $0.offset).map { numbers.contains($0.number) } ?? false }.map(\.element)
    }
}
