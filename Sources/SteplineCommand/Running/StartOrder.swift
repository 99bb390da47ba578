import SteplineSupport

/// Orders reports about a task's pipelines after its start and before its end, although they arrive on other streams.
struct StartOrder {
    private var begun: Set<String> = []
    private var ended: Set<String> = []
    private var waiting: [String: [OneShot<Void>]] = [:]
    private var isOver = false

    /// Returns the signal to await before reporting a pipeline of a task; nil to report at once.
    mutating func follow(_ task: String) -> OneShot<Void>? {
        ended.remove(task)
        guard !isOver, !begun.contains(task) else { return nil }
        let start = OneShot<Void>()
        waiting[task, default: []].append(start)
        return start
    }

    /// Records that a task's start was reported; returns the waiting callers.
    mutating func begin(_ task: String) -> [OneShot<Void>] {
        begun.insert(task)
        return waiting.removeValue(forKey: task) ?? []
    }

    /// Records that a task's end is about to be reported.
    mutating func finish(_ task: String) { ended.insert(task) }

    /// Returns whether a task's end was reported; a cancelled or late task ends before its body.
    func hasFinished(_ task: String) -> Bool { ended.contains(task) }

    /// Records that no more tasks start; returns all waiting callers.
    mutating func end() -> [OneShot<Void>] {
        isOver = true
        defer { waiting = [:] }
        return waiting.values.flatMap { $0 }
    }
}
