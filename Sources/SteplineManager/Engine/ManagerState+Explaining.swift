import SteplineSupport

extension ManagerState {
    func explain(_ record: TaskRecord) -> String {
        let subject = "\(record.name) (\(record.identifier))"
        if let outcome = record.outcome {
            return record.endError.map { "\($0)" }
                ?? "\(subject) \(outcome.rawValue) in attempt \(record.attempt)"
        }
        return "\(subject) \(reason(record)), for \((clock.uptime - record.since).shortText)"
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
        case .live: "executes attempt \(record.attempt)"
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
            "waits for a slot: \(live) of \(maximumConcurrency.map(String.init) ?? "any number") are taken"
        }
    }

    private func runs(of record: TaskRecord) -> String {
        let numbers = record.reaction?.runs ?? []
        return zip(reactors, reactorNames).filter { $0.0.run.map { numbers.contains($0.number) } ?? false }
            .map(\.1).joined(separator: ", ")
    }
}
