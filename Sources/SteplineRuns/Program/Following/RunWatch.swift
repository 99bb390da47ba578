package import Foundation

/// A poller that reads a run repeatedly and finds the changed steps.
struct RunWatch {
    /// The values that distinguish the attempts of a step and their outcomes.
    private struct Shown: Hashable {
        let state: StepState
        let attempt: Int
    }

    private let store: any RunStore
    private let id: RunID
    private var steps: [String: Shown] = [:]  // as of the latest look
    private var mark: Int?  // of the latest look
    private var last: RunLook?

    init(_ id: RunID, in store: any RunStore) {
        self.id = id
        self.store = store
    }

    /// Reads the run; reads its steps only if the store may have changed.
    mutating func look() throws -> RunLook {
        // Mark, run, steps: a change in between is read again at the next look, never missed.
        // A run that reads as ended has all its steps written.
        let mark = try store.changeMark()
        guard let run = try store.run(id) else { throw RunsError("\(id) was forgotten") }
        defer { self.mark = mark }
        // No change in the store and in the run: don't read the steps.
        if let last, last.run == run, let mark, mark == self.mark { return last.withoutChanges }
        let look = try read(run)
        last = look
        return look
    }

    private mutating func read(_ run: RunRecord) throws -> RunLook {
        var changes: [StepRecord] = []
        var active: [StepRecord] = []
        var cancelled = 0
        let store = store
        try store.forEachStep(of: id) { step in
            switch step.state {
            case .running, .waiting: active.append(step)
            case .cancelled: cancelled += 1
            case .pending, .finished, .failed: break
            }
            let shown = Shown(state: step.state, attempt: step.attempt)
            if steps.updateValue(shown, forKey: step.name) != shown { changes.append(step) }
        }
        changes.sort { ($0.latest, $0.name) < ($1.latest, $1.name) }
        active.sort { ($0.began ?? .distantPast, $0.name) < ($1.began ?? .distantPast, $1.name) }
        return RunLook(run: run, changes: changes, active: active, cancelled: cancelled)
    }
}

extension StepRecord {
    /// The date of the step's latest known change.
    package var latest: Date { ended ?? began ?? .distantPast }
}
