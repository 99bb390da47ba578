import Foundation
import SteplineJSON
import SteplineSupport
import SteplineWorkflow

/// The outcome of a run for the tasks that run last, the value of `run`.
struct FlowRunSummary {
    private let name: String
    private let began: Date
    private let now: Date
    private let tasks: [WorkflowTask]
    /// The tasks whose failure fails the run.
    private let fatal: Set<String>
    private let plan: FlowPlan

    /// Creates the summary of the tasks before a last task.
    init(of tasks: [WorkflowTask], in plan: FlowPlan, began: Date, fatal: Set<String>) {
        name = plan.file.name
        self.plan = plan
        self.began = began
        now = plan.setting.clock.now
        self.tasks = tasks
        self.fatal = fatal
    }

    /// Whether a task was cancelled, or has failed in a way that isn't permitted.
    var hasFailed: Bool { result != "succeeded" }

    func json() throws -> JSON {
        try JSON(
            members: [(key: "name", value: JSON(name)), (key: "result", value: JSON(result))] + times()
                + [(key: "tasks", value: counts()), (key: "failures", value: failures())])
    }

    /// Returns the members for begin, end and duration of the run.
    func times() -> [(key: String, value: JSON)] {
        [
            (key: "began", value: Self.written(began)), (key: "ended", value: Self.written(now)),
            (key: "seconds", value: Self.seconds(from: began, to: now)),
        ]
    }

    /// Returns a list with an object for each failed task.
    func failures() throws -> JSON {
        try JSON(elements: tasks.filter { $0.state == .failed }.map { try failure(of: $0) })
    }

    private func isFatal(_ task: WorkflowTask) -> Bool { fatal.contains(plan.own(task)) }

    /// The outcome in one word: `succeeded`, `failed` or `cancelled`.
    var result: String {
        if tasks.contains(where: { $0.state == .failed && isFatal($0) }) { return "failed" }
        return tasks.contains { $0.state == .cancelled } ? "cancelled" : "succeeded"
    }

    private func counts() throws -> JSON {
        func count(_ states: WorkflowTask.State...) -> JSON {
            JSON(tasks.count { states.contains($0.state) })
        }
        let skipped = tasks.count { ($0.result as? FlowResult)?.skipped != nil }
        let finished = tasks.count { $0.state == .finished }
        return try JSON(members: [
            (key: "total", value: JSON(tasks.count)), (key: "succeeded", value: JSON(finished - skipped)),
            (key: "skipped", value: JSON(skipped)),
            (key: "failed", value: count(.failed)), (key: "cancelled", value: count(.cancelled)),
            (key: "notRun", value: count(.pending, .ready, .executing)),
        ])
    }

    private func failure(of task: WorkflowTask) throws -> JSON {
        let error = task.error
        var members: [(key: String, value: JSON)] = [(key: "task", value: JSON(task.name))]
        let element = error.flatMap { Self.cause(in: $0, as: FlowElementFailure.self) }?.element
        if let element { members.append((key: "element", value: JSON(element))) }
        let failure = error.flatMap { Self.cause(in: $0, as: FlowFailure.self) }
        if let failure {
            members += [
                (key: "step", value: JSON(failure.step)), (key: "place", value: JSON(failure.place)),
                (key: "attempts", value: JSON(max(failure.attempts, task.snapshot.attempt))),
            ]
        }
        let words = ErrorText.withoutBreaks(failure?.cause ?? ErrorText.line(error, of: task.name))
        members.append((key: "cause", value: JSON(words)))
        members.append((key: "allowed", value: JSON(!isFatal(task))))
        return try JSON(members: members)
    }

    private static func cause<Expected: Error>(in error: any Error, as type: Expected.Type) -> Expected? {
        error as? Expected ?? (error as? any ErrorWithCause)?.underlying(as: type)
    }

    /// Returns the seconds between two dates, rounded to milliseconds.
    static func seconds(from began: Date, to ended: Date) -> JSON {
        JSON((ended.timeIntervalSince(began) * 1000).rounded() / 1000)
    }

    static func written(_ date: Date) -> JSON {
        JSON(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}
