import SteplineSupport

extension ManagerState {
    func explain(_ record: TaskRecord) -> String {
        let subject = "\(record.name) (\(record.identifier))"
        let time = (clock.uptime - record.since).shortText
        if let outcome = record.outcome {
            let end =
                record.endError.map { "\($0)" }
                ?? "\(subject) \(outcome.rawValue) in attempt \(record.attempt)"
            return "\(end), \(time) ago"
        }
        return "\(subject) \(reason(record)), for \(time)"
    }

    private func reason(_ record: TaskRecord) -> String {
        switch record.phase {
        case .notStarted: "waits for start()"
        case .delayed: "waits for the end of its delay of \(record.delay.shortText)"
        case .awaitingTurn:
            "waits for its turn with the interceptors"
                + (interception.current.map {
                    ", behind \($0.name) at \(interceptorNames[interception.progress.position])"
                } ?? "")
        case .intercepting:
            "waits for the answer of the interceptor \(interceptorNames[interception.progress.position])"
        case .held(let holder): "is held by \(interceptorNames[holder]) with \(limits(of: holder))"
        case .queued: queueReason(record)
        case .live:
            record.waitsForCompletion == record.attempt
                ? "waits for the completion of attempt \(record.attempt) to be called"
                : "executes attempt \(record.attempt)"
        case .asked: "waits for the reactors' answers"
        case .reacting: "waits for the runs of \(runs(of: record))"
        case .backingOff:
            "waits for the end of its back-off of \((record.reaction?.backoff ?? .zero).shortText)"
        case .ended: "has ended"
        }
    }

    private func limits(of holder: Int) -> String {
        let hold = holds[holder]
        let count = hold.limits.count.map { "at most \($0)" }
        let age = hold.limits.age.map { "at most \($0.shortText)" }
        let limits = [count, age].compactMap { $0 }.joined(separator: ", ")
        return "\(hold.count - 1) others, " + (limits.isEmpty ? "without limits" : limits)
    }

    private func queueReason(_ record: TaskRecord) -> String {
        if record.isParked, let lane = record.lane {
            return "waits for \(lane.name), where \(lanes[lane]?.taken ?? 0) of \(lane.limit) are under way"
        }
        return switch state(of: record) {
        case .pending(.pause), .executing(.pause): "waits for the manager to be resumed"
        case .pending(.suspension), .executing(.suspension):
            "waits for the suspending run of "
                + zip(reactors, reactorNames).filter { $0.0.run?.suspends == true }.map(\.1)
                .joined(separator: ", ")
        default:
            "waits for a slot, behind \(countBefore(record)) others: " + slots
        }
    }

    /// How many go before a task that could begin.
    private func countBefore(_ record: TaskRecord) -> Int {
        tasks.count { other in
            guard case .queued = other.phase, other !== record, !other.isParked else { return false }
            let (one, two) = (rank(other), rank(record))
            return one != two ? one < two : other.order < record.order
        }
    }

    private func rank(_ record: TaskRecord) -> Int {
        let isRequeued = record.attempt > 0 || record.reaction?.requeues == true
        return (record.exemptReactor != nil ? 0 : 100) + 2 * record.priority.rank + (isRequeued ? 0 : 1)
    }

    /// Who has the slots.
    private var slots: String {
        let holders = tasks.filter { if case .live = $0.phase { $0.lends == 0 } else { false } }
        let names = holders.prefix(3).map { "\($0.name) (\($0.identifier))" }.joined(separator: ", ")
        return "\(live) of \(maximumConcurrency.map(String.init) ?? "any number") are taken"
            + (names.isEmpty ? "" : ", by \(names)") + (holders.count > 3 ? " and others" : "")
    }

    private func runs(of record: TaskRecord) -> String {
        let numbers = record.reaction?.runs ?? []
        return zip(reactors, reactorNames).filter { $0.0.run.map { numbers.contains($0.number) } ?? false }
            .map(\.1).joined(separator: ", ")
    }
}
