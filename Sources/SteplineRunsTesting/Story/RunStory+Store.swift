import Foundation
package import SteplineRuns
import SteplineWorkflow

extension RunStory {
    /// What a store has of the run that isn't what was told, a line each: states, attempts, and the order of their times.
    package func differences(in store: any RunStore, _ id: RunID) throws -> [String] {
        let steps = try store.stepsByName(of: id)
        let attempts = Dictionary(grouping: try store.history(of: id) + steps.values, by: \.name)
        var found: [String] = []
        for (name, task) in tasks.sorted(by: { $0.key < $1.key }) {
            let step = steps[name] ?? StepRecord(name: name)
            // A cleanup that isn't needed is Cancelled for now, and nothing is to be known of it later.
            if steps[name] == nil, task.end.state == .cancelled, task.end.attempt == 0 { continue }
            if step.state != StepState(task.end.state) || step.attempt != task.end.attempt {
                found.append(
                    "\(name) is kept as \(step.state), attempt \(step.attempt), and is \(task.end.state), "
                        + "attempt \(task.end.attempt)")
            }
            let own = (attempts[name] ?? []).filter { $0.began != nil }.sorted { $0.attempt < $1.attempt }
            found += Self.disorders(name, own)
            guard let began = own.last?.began else { continue }
            for before in task.prerequisites {
                guard let ended = steps[before]?.ended, steps[before]?.state == .finished, ended > began
                else {
                    continue
                }
                found.append(
                    "\(name) is kept as begun \(ended.timeIntervalSince(began)) s before \(before) had ended")
            }
        }
        for name in steps.keys where tasks[name] == nil { found.append("\(name) is kept, and no task") }
        return found + parts.flatMap { $0.overlaps(attempts) }
    }

    /// Attempts of a step that aren't numbered from 1, or begin before the one before has ended.
    private static func disorders(_ name: String, _ attempts: [StepRecord]) -> [String] {
        var found: [String] = []
        if attempts.map(\.attempt) != Array(1..<(attempts.count + 1)) {
            found.append("\(name) is kept with attempts \(attempts.map(\.attempt))")
        }
        for (first, second) in zip(attempts, attempts.dropFirst()) {
            guard let ended = first.ended, let began = second.began, ended > began else { continue }
            found.append(
                "\(name) is kept with attempt \(second.attempt) begun \(ended.timeIntervalSince(began)) s before "
                    + "the last had ended: \(first), \(second)")
        }
        for attempt in attempts {
            guard let ended = attempt.ended, let began = attempt.began, ended < began else { continue }
            found.append("\(name) is kept with attempt \(attempt.attempt) ended before it began")
        }
        return found
    }
}

extension RunStory.Part {
    /// Attempts that have run at the same time, and took more places of a pool than there are.
    fileprivate func overlaps(_ attempts: [String: [StepRecord]]) -> [String] {
        Set(tasks.values.flatMap(\.options.pools.keys)).flatMap { pool -> [String] in
            let changes = tasks.values.flatMap { task -> [(time: Double, places: Int)] in
                guard let places = task.options.pools[pool] else { return [] }
                return (attempts[task.name] ?? []).flatMap { attempt -> [(time: Double, places: Int)] in
                    guard let began = attempt.began, let ended = attempt.ended else { return [] }
                    return [
                        (began.timeIntervalSinceReferenceDate, places),
                        (ended.timeIntervalSinceReferenceDate, -places),
                    ]
                }
            }
            var taken = 0
            var most = 0
            // At the same instant a place is given back before it is taken.
            for change in changes.sorted(by: { ($0.time, $0.places) < ($1.time, $1.places) }) {
                taken += change.places
                most = max(most, taken)
            }
            return most > pool.capacity
                ? ["\(pool.name) is kept with \(most) places taken of \(pool.capacity)"] : []
        }
    }
}

extension StepState {
    fileprivate init(_ state: WorkflowTask.State) {
        switch state {
        case .pending, .ready: self = .pending
        case .executing: self = .running
        case .finished: self = .finished
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}
