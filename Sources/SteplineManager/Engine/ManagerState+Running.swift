import SteplineSupport

extension ManagerState {
    /// Whether something is to be done that nobody does.
    var hasWork: Bool { !begun.isEmpty || asking.isWaiting || interception.isWaiting }

    /// What a runner is to do next.
    mutating func nextWork(for runner: Runner) -> Work? {
        while let record = asking.next(for: runner) {
            guard case .asked = record.phase else {
                asking.skip()
                continue
            }
            return .asking(record, requeues: beginAsking(record), loop: asking.loop)
        }
        while let (record, attempt) = begun.popFirst() {
            // One that ended before its code began doesn't begin it.
            guard !record.bodyIsStopped else {
                released.add(record.letGo(of: .body))
                bodyEnded(record, attempt: attempt)
                continue
            }
            record.runner = runner
            return .body(record, attempt: attempt)
        }
        while let record = interception.next(for: runner) {
            guard case .awaitingTurn = record.phase else {
                interception.skip()
                continue
            }
            return .interception(record, heldCounts: beginIntercepting(record), loop: interception.loop)
        }
        return nil
    }
}
