import Foundation
package import SteplineRuns
import SteplineRunsTesting
import SteplineWorkflow

extension RunTrace {
    /// Returns where a store's records of the run differ from its events, one line each.
    ///
    /// Compares states and attempts, and checks the order of their times.
    package func differences(in store: any RunStore, _ id: RunID) throws -> [String] {
        let steps = try store.stepsByName(of: id)
        let attempts = Dictionary(grouping: try store.history(of: id) + steps.values, by: \.name)
        var found: [String] = []
        for (name, task) in tasks.sorted(by: { $0.key < $1.key }) {
            let step = steps[name] ?? StepRecord(name: name)
            // A cleanup that isn't needed is cancelled in memory, but has no record in the store.
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

    /// Returns gaps in the numbers of a step's attempts, and attempts that began before the previous one had ended.
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

extension RunTrace.Part {
    /// Returns the pools whose places were exceeded by attempts that ran at the same time.
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
            // At equal times a place is returned before the next is taken: `places` is negative when returned.
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
