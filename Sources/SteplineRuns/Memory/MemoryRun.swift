import Foundation

/// A run of a memory store.
struct MemoryRun {
    struct Step {
        var record: StepRecord
        var result: Data?
        var cacheKey: String?
    }

    /// The position of the run in order of creation.
    let number: Int
    var record: RunRecord
    private(set) var steps: [String: Step] = [:]  // by name
    private(set) var history: [StepRecord] = []  // replaced attempts, oldest first
    private(set) var signals: [RunSignal] = []  // in order of arrival
    /// The latest finished step for each cache key.
    private var cached: [String: String] = [:]

    init(number: Int, record: RunRecord) {
        self.number = number
        self.record = record
    }

    /// Applies changes in order; returns the indices of the refused ones.
    mutating func take(_ changes: [StepChange]) -> [Int] {
        let refused = changes.indices.filter { !take(changes[$0]) }
        // The first accepted change reopens an ended run.
        if refused.count < changes.count {
            record.ending = nil
            record.ended = nil
        }
        return refused
    }

    private mutating func take(_ change: StepChange) -> Bool {
        let old = steps[change.step]?.record ?? StepRecord(name: change.step)
        // The rule for all stores.
        guard let new = old.taking(change) else { return false }
        if old.isReplaced(by: change) { history.append(old) }
        var result: Data?
        if case .finished(let data) = change.kind { result = data }
        // A cleared or failed step must not be found by its old key.
        let cacheKey = new.state == .finished ? change.cacheKey : nil
        steps[change.step] = Step(record: new, result: result, cacheKey: cacheKey)
        if let cacheKey { cached[cacheKey] = change.step }
        record.finished += (new.state == .finished ? 1 : 0) - (old.state == .finished ? 1 : 0)
        record.failed += (new.state == .failed ? 1 : 0) - (old.state == .failed ? 1 : 0)
        return true
    }

    /// Returns the step with that cache key if it is still finished.
    func step(cachedAs key: String) -> StepRecord? {
        guard let step = cached[key].flatMap({ steps[$0] }), step.cacheKey == key else { return nil }
        return step.record
    }

    /// Removes the cancellation signal.
    mutating func removeCancellation() { signals.removeAll { $0.isForTheSame(as: .cancel("")) } }

    /// Removes the signal of a condition; returns false if there is none.
    mutating func withdraw(_ condition: String) -> Bool {
        let count = signals.count
        signals.removeAll { $0.isForTheSame(as: .fulfil(condition: condition, nil)) }
        return signals.count < count
    }

    /// Adds a signal; returns false if an earlier one for the same subject exists.
    mutating func take(_ signal: RunSignal) -> Bool {
        guard !signals.contains(where: { $0.isForTheSame(as: signal) }) else { return false }
        signals.append(signal)
        return true
    }
}

extension RunSignal {
    fileprivate func isForTheSame(as other: RunSignal) -> Bool {
        switch (self, other) {
        case (.fulfil(let mine, _), .fulfil(let others, _)): mine == others
        case (.cancel, .cancel): true
        case (.fulfil, .cancel), (.cancel, .fulfil): false
        }
    }
}
