import Foundation

/// A run in memory.
struct MemoryRun {
    struct Step {
        var record: StepRecord
        var result: Data?
        var cacheKey: String?
    }

    /// Its place among the runs of the store, in the order in which they were made.
    let number: Int
    var record: RunRecord
    private(set) var steps: [String: Step] = [:]
    private(set) var history: [StepRecord] = []
    private(set) var signals: [RunSignal] = []
    /// The step that has finished last with each cache key.
    private var cached: [String: String] = [:]

    init(number: Int, record: RunRecord) {
        self.number = number
        self.record = record
    }

    /// Takes changes in their order; the places of those that are refused.
    mutating func take(_ changes: [StepChange]) -> [Int] {
        let refused = changes.indices.filter { !take(changes[$0]) }
        if refused.count < changes.count {
            record.ending = nil
            record.ended = nil
        }
        return refused
    }

    private mutating func take(_ change: StepChange) -> Bool {
        let old = steps[change.step]?.record ?? StepRecord(name: change.step)
        guard let new = old.taking(change) else { return false }
        if old.isReplaced(by: change) { history.append(old) }
        var result: Data?
        if case .finished(let data) = change.kind { result = data }
        let cacheKey = new.state == .finished ? change.cacheKey : nil
        steps[change.step] = Step(record: new, result: result, cacheKey: cacheKey)
        if let cacheKey { cached[cacheKey] = change.step }
        record.finished += (new.state == .finished ? 1 : 0) - (old.state == .finished ? 1 : 0)
        record.failed += (new.state == .failed ? 1 : 0) - (old.state == .failed ? 1 : 0)
        return true
    }

    /// The step that has finished with that cache key, and still is.
    func step(cachedAs key: String) -> StepRecord? {
        guard let step = cached[key].flatMap({ steps[$0] }), step.cacheKey == key else { return nil }
        return step.record
    }

    /// Removes the word that the run is to be cancelled.
    mutating func removeCancellation() { signals.removeAll { $0.isForTheSame(as: .cancel("")) } }

    /// Removes the word that a condition is fulfilled; false if there is none.
    mutating func withdraw(_ condition: String) -> Bool {
        let count = signals.count
        signals.removeAll { $0.isForTheSame(as: .fulfil(condition: condition, nil)) }
        return signals.count < count
    }

    /// Takes a signal; false if there was one for the same before.
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
