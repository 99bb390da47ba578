import Foundation
import SteplineJSON
import SteplineSupport
import SteplineWorkflow

/// The object that `run --json` writes: the result, the outcome, and each task with its state and times.
struct FlowRunObject {
    private let plan: FlowPlan
    private let summary: FlowRunSummary
    private let tasks: [WorkflowTask]
    private let attempts: [String: [AttemptRecord]]
    private let upToDate: Set<String>
    private let skips: [String: String]

    /// Creates the object of a run that has ended.
    ///
    /// - Parameters:
    ///   - workflow: The workflow, which keeps attempts.
    ///   - plan: The plan of the run.
    ///   - began: The time at which the run began.
    ///   - upToDate: The tasks that weren't run because their files are up to date.
    ///   - skips: The reasons for skipped tasks, by name.
    init(
        of workflow: Workflow, in plan: FlowPlan, began: Date, upToDate: [String], skips: [String: String]
    ) {
        self.plan = plan
        self.upToDate = Set(upToDate)
        self.skips = skips
        // Lists of maps are no tasks of the file.
        tasks = workflow.allTasks.filter { !($0 is FlowListTask) }
        let fatal = Set(plan.order.map(\.name)).subtracting(plan.allowedFailures)
        summary = FlowRunSummary(of: tasks, in: plan, began: began, fatal: fatal)
        attempts = Dictionary(
            workflow.graph().tasks.map { ($0.name, $0.attempts) }, uniquingKeysWith: { $1 })
    }

    /// Returns the object as JSON.
    ///
    /// - Parameters:
    ///   - result: The result, or the reason why there is none.
    ///   - code: The exit status of the run.
    ///   - key: The key of a durable run.
    func json(_ result: Result<FlowValue?, any Error>, _ code: ExitCode, key: String?) throws -> JSON {
        var value = JSON.null
        var missing: JSON?
        do { value = try result.get()?.json() ?? .null } catch { missing = JSON("\(error)") }
        var members: [(key: String, value: JSON)] = [("name", JSON(plan.file.name))]
        if let key { members.append(("key", JSON(key))) }
        members.append(("outcome", JSON(outcome(code))))
        members += summary.times()
        members.append(("result", value))
        if let missing { members.append(("noResult", missing)) }
        let run = Dictionary(tasks.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        // In the order of the file.
        let states = try plan.file.tasks.compactMap { task in
            if let task = run[task.name] { return try json(of: task) }
            guard upToDate.contains(task.name) else { return nil }
            return try JSON(members: [
                (key: "name", value: JSON(task.name)), (key: "state", value: "upToDate"),
            ])
        }
        members.append(("tasks", try JSON(elements: states)))
        members.append(("failures", try summary.failures()))
        return try JSON(members: members)
    }

    private func outcome(_ code: ExitCode) -> String {
        if code == .success { return "succeeded" }
        if code.number > 128 { return "interrupted" }
        return summary.result == "cancelled" ? "cancelled" : "failed"
    }

    private func json(of task: WorkflowTask) throws -> JSON {
        let snapshot = task.snapshot
        let reason = skips[task.name] ?? (snapshot.result as? FlowResult)?.skipped
        let state =
            switch snapshot.state {
            case .finished: reason == nil ? "finished" : "skipped"
            case .failed: "failed"
            // A task that runs last, and wasn't needed, ends cancelled as well.
            case .cancelled: "cancelled"
            case .pending, .ready, .executing: "notRun"
            }
        var members: [(key: String, value: JSON)] = [
            ("name", JSON(task.name)), ("state", JSON(state)), ("attempts", JSON(snapshot.attempt)),
        ]
        if let reason { members.append(("reason", JSON(reason))) }
        let own = attempts[task.name] ?? []
        if let began = own.first?.begin { members.append(("began", FlowRunSummary.written(began))) }
        if let ended = own.last?.end ?? snapshot.finishDate {
            members.append(("ended", FlowRunSummary.written(ended)))
            if let first = own.first {
                members.append(("seconds", FlowRunSummary.seconds(from: first.begin, to: ended)))
            }
        }
        if snapshot.state == .failed {
            let words = ErrorText.withoutBreaks(ErrorText.line(snapshot.error, of: task.name))
            members.append(("error", JSON(words)))
        }
        return try JSON(members: members)
    }
}
