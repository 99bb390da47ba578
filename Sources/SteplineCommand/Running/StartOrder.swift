import SteplineSupport

/// Lets what happens in a task's pipelines be told after the beginning of the task and before its end, though it comes
/// another way.
struct StartOrder {
    private var begun: Set<String> = []
    private var ended: Set<String> = []
    private var waiting: [String: [OneShot<Void>]] = [:]
    private var isOver = false

    /// What is to be waited for before a pipeline of a task is told of; nil for nothing.
    mutating func follow(_ task: String) -> OneShot<Void>? {
        ended.remove(task)
        guard !isOver, !begun.contains(task) else { return nil }
        let start = OneShot<Void>()
        waiting[task, default: []].append(start)
        return start
    }

    /// The beginning of a task has been told: who waited for it.
    mutating func begin(_ task: String) -> [OneShot<Void>] {
        begun.insert(task)
        return waiting.removeValue(forKey: task) ?? []
    }

    /// The end of a task is about to be told.
    mutating func finish(_ task: String) { ended.insert(task) }

    /// Whether nothing more is to be told of what is inside a task: one that is cancelled or late ends before its body.
    func hasFinished(_ task: String) -> Bool { ended.contains(task) }

    /// Nothing more is going to begin: all who still wait.
    mutating func end() -> [OneShot<Void>] {
        isOver = true
        defer { waiting = [:] }
        return waiting.values.flatMap { $0 }
    }
}
