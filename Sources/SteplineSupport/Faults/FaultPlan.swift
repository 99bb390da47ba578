/// The faults of one simulation or workflow, and how many requests and commits have come so far.
package final class FaultPlan: Sendable {
    private struct Counts {
        var requests = 0
        var commits = 0
    }

    private let faults: [Fault]
    private let seed: UInt64
    private let counts = Locked(Counts())

    package init(_ faults: [Fault], seed: UInt64 = 0) {
        self.faults = faults
        self.seed = seed
    }

    package var list: [Fault] { faults }
    package var isEmpty: Bool { faults.isEmpty }

    /// What goes wrong with this attempt; nil if nothing does.
    package func fault(ofTask task: String, attempt: Int) -> BodyFault? {
        for fault in faults {
            switch fault.kind {
            case .body(task, attempt, let fault), .body(task, nil, let fault): return fault
            case .random(let rate, let seed):
                if let fault = chance(rate, seed &+ self.seed, task, attempt) { return fault }
            case .body, .network, .crash: continue
            }
        }
        return nil
    }

    /// A request is sent: what goes wrong with it.
    package func requestFault() -> Fault.Network? {
        guard !faults.isEmpty else { return nil }
        let number = counts.withLock { counts in
            counts.requests += 1
            return counts.requests
        }
        for fault in faults {
            if case .network(let how, let every) = fault.kind, number % every == 0 { return how }
        }
        return nil
    }

    /// Does what commits something; throws instead, or afterwards, if the process is to be killed there, by these faults
    /// or by those of the stage.
    package func commitOnStage<Answer>(_ body: () throws -> Answer) throws -> Answer {
        guard let stage = Stages.current else { return try commit(body) }
        return try commit { try stage.faults.commit(body) }
    }

    private func commit<Answer>(_ body: () throws -> Answer) throws -> Answer {
        guard !faults.isEmpty else { return try body() }
        let number = counts.withLock { counts in
            counts.commits += 1
            return counts.commits
        }
        try crash(at: .commit(number), "before commit \(number)")
        let answer = try body()
        try crash(at: .afterCommit(number), "after commit \(number)")
        return answer
    }

    private func crash(at moment: Fault.Moment, _ when: String) throws {
        for case .crash(moment) in faults.lazy.map(\.kind) {
            Stages.current?.note("the process is killed \(when)")
            throw InjectedFault("killed on purpose \(when)")
        }
    }

    /// A throw of dice that falls alike whenever it is made.
    private func chance(_ rate: Double, _ seed: UInt64, _ task: String, _ attempt: Int) -> BodyFault? {
        var dice = StableRandom(seed: seed)
        dice.mix(task.utf8)
        dice.mix(UInt64(attempt))
        guard dice.fraction() < rate else { return nil }
        let error = InjectedFault("‘\(task)’ fails by chance in attempt \(attempt)")
        switch dice.next() % 3 {
        case 0: return .fails(error, afterBody: false)
        case 1: return .fails(error, afterBody: true)
        default: return .delayed(.milliseconds(dice.next() % 60_000))
        }
    }
}
