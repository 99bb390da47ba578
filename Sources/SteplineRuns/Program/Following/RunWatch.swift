package import Foundation

/// Looks at a run again and again, and knows what is new.
struct RunWatch {
    /// How a step stood: all of it that tells one attempt, and what became of it, from another.
    private struct Standing: Hashable {
        let state: StepState
        let attempt: Int
    }

    private let store: any RunStore
    private let id: RunID
    private var steps: [String: Standing] = [:]
    private var mark: Int?
    private var last: RunLook?

    init(_ id: RunID, in store: any RunStore) {
        self.id = id
        self.store = store
    }

    /// Looks at the run; reads its steps only if something may have changed.
    mutating func look() throws -> RunLook {
        // In this order: what changes meanwhile is seen twice and not missed, and a run that is over has no
        // step that isn't told.
        let mark = try store.changeMark()
        guard let run = try store.run(id) else { throw RunsError("\(id) was forgotten") }
        defer { self.mark = mark }
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
            let standing = Standing(state: step.state, attempt: step.attempt)
            if steps.updateValue(standing, forKey: step.name) != standing { changes.append(step) }
        }
        changes.sort { ($0.latest, $0.name) < ($1.latest, $1.name) }
        active.sort { ($0.began ?? .distantPast, $0.name) < ($1.began ?? .distantPast, $1.name) }
        return RunLook(run: run, changes: changes, active: active, cancelled: cancelled)
    }
}

extension StepRecord {
    /// When it came to stand as it does, as far as that is kept.
    package var latest: Date { ended ?? began ?? .distantPast }
}
