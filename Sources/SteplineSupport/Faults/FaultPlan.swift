/// The faults of a simulation or workflow, with the counters that they depend on.
package final class FaultPlan: Sendable {
    private struct Counts {
        var requests = 0
        /// The number of times that each request was sent.
        var repeated: [String: Int] = [:]
        var commits = 0
        var timers = 0
        /// The indices of the faults that had an effect.
        var used: Set<Int> = []
    }

    private let faults: [Fault]
    private let seed: UInt64
    private let hasLateTimers: Bool
    private let counts = Locked(Counts())

    package init(_ faults: [Fault], seed: UInt64 = 0) {
        self.faults = faults
        self.seed = seed
        hasLateTimers = faults.contains { if case .lateTimers = $0.kind { true } else { false } }
    }

    package var list: [Fault] { faults }
    package var isEmpty: Bool { faults.isEmpty }

    /// The faults without an effect so far, for example because of a misspelled name.
    ///
    /// Random faults aren't included.
    package var idle: [Fault] {
        guard !faults.isEmpty else { return [] }
        let used = counts.withLock { $0.used }
        return faults.indices.filter { !used.contains($0) && !faults[$0].isLeftToChance }.map { faults[$0] }
    }

    private func use(_ place: Int) { counts.withLock { _ = $0.used.insert(place) } }

    // MARK: Attempts

    /// Returns the fault of an attempt; nil if there is none.
    package func fault(ofTask task: String, attempt: Int) -> BodyFault? {
        for (place, fault) in faults.enumerated() {
            switch fault.kind {
            case .body(task, attempt, let fault), .body(task, nil, let fault):
                use(place)
                return fault
            case .random(let rate, let seed):
                if let fault = chance(rate, seed, task, attempt) { return fault }
            case .body, .network, .crash, .crashes, .lateTimers: continue
            }
        }
        return nil
    }

    /// Returns the error of an attempt whose body succeeded, if it must fail afterwards.
    package func error(afterTask task: String, attempt: Int) -> (any Error)? {
        guard !faults.isEmpty, case .fails(let error, afterBody: true) = fault(ofTask: task, attempt: attempt)
        else { return nil }
        return error
    }

    // MARK: Requests

    /// Returns the fault of a request, such as `GET https://example.com`.
    package func fault(ofRequest request: String) -> Fault.Network? {
        guard !faults.isEmpty else { return nil }
        let (number, repeated) = counts.withLock { counts in
            counts.requests += 1
            counts.repeated[request, default: 0] += 1
            return (counts.requests, counts.repeated[request, default: 0])
        }
        for (place, fault) in faults.enumerated() {
            switch fault.kind {
            case .network(let how, let every) where number % every == 0:
                use(place)
                return how
            case .random(let rate, let seed):
                if let fault = networkChance(rate, seed, request, repeated) { return fault }
            case .body, .network, .crash, .crashes, .lateTimers: continue
            }
        }
        return nil
    }

    // MARK: Commits

    /// Runs a commit; throws before or after it if a fault of this plan or the simulation kills the process there.
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
        for (place, fault) in faults.enumerated() {
            switch fault.kind {
            case .crash(moment): use(place)
            case .crashes(let rate, let seed) where commitChance(rate, seed, moment): break
            case .body, .random, .network, .crash, .crashes, .lateTimers: continue
            }
            Stages.current?.note("the process is killed \(when)")
            throw InjectedFault("killed on purpose \(when)")
        }
    }

    // MARK: Timers

    /// Returns the delay of a timer that is being set.
    package func lateness() -> Duration {
        guard hasLateTimers else { return .zero }
        let number = counts.withLock { counts in
            counts.timers += 1
            return counts.timers
        }
        for fault in faults {
            guard case .lateTimers(let rate, let most, let seed) = fault.kind else { continue }
            var dice = dice(seed, "timer", number)
            if dice.fraction() < rate { return most * dice.fraction() }
        }
        return .zero
    }

    // MARK: Chance

    /// Returns a generator whose numbers depend only on the arguments, not on the order of calls.
    private func dice(_ seed: UInt64, _ what: String, _ number: Int) -> StableRandom {
        var dice = StableRandom(seed: seed &+ self.seed)
        dice.mix(what.utf8)
        dice.mix(UInt64(number))
        return dice
    }

    private func chance(_ rate: Double, _ seed: UInt64, _ task: String, _ attempt: Int) -> BodyFault? {
        var dice = dice(seed, task, attempt)
        guard dice.fraction() < rate else { return nil }
        let error = InjectedFault("‘\(task)’ fails by chance in attempt \(attempt)")
        switch dice.next() % 3 {
        case 0: return .fails(error, afterBody: false)
        case 1: return .fails(error, afterBody: true)
        default: return .delayed(.milliseconds(dice.next() % 60_000))
        }
    }

    private func networkChance(
        _ rate: Double, _ seed: UInt64, _ request: String, _ number: Int
    ) -> Fault.Network? {
        var dice = dice(seed, request, number)
        guard dice.fraction() < rate else { return nil }
        switch dice.next() % 4 {
        case 0: return .reset
        case 1: return .refused
        case 2: return .truncated(after: Int(dice.next() % 64))
        default: return .status(503)
        }
    }

    private func commitChance(_ rate: Double, _ seed: UInt64, _ moment: Fault.Moment) -> Bool {
        let number =
            switch moment {
            case .commit(let number): 2 * number
            case .afterCommit(let number): 2 * number + 1
            }
        var dice = dice(seed, "commit", number)
        // Both moments of a commit together have the given rate.
        return dice.fraction() < rate / 2
    }
}
