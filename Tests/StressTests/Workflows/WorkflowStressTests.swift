import Stepline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

/// A task whose attempts go on until the test ends them; a stopped body ends at once.
final class HeldTask: WorkflowTask, @unchecked Sendable {  // the recorder locks by itself
    let attempts = Recorder<TaskAttempt>()

    override func main() {
        let attempt = currentAttempt
        attempt.onCancel { attempt.finish() }
        attempts.record(attempt)
    }
}

/// A random graph, with a model of it.
struct StressGraph {
    let workflow: Workflow
    let tasks: [WorkflowTask]
    var model: WorkflowModel

    init(_ random: inout StableRandom) throws {
        let count = Int.random(in: 1...24, using: &random)
        var prerequisites: [[Int]] = []
        var conditions: Set<Int> = []
        for task in 0..<count {
            let expected = Int.random(in: 0...min(3, task), using: &random)
            prerequisites.append(Array((0..<task).shuffled(using: &random).prefix(expected)).sorted())
            if Int.random(in: 0..<6, using: &random) == 0 { conditions.insert(task) }
        }
        model = WorkflowModel(prerequisites: prerequisites, conditions: conditions)
        workflow = Workflow("stress")
        var made: [WorkflowTask] = []
        for task in 0..<count {
            let new = conditions.contains(task) ? ExternalConditionTask() : HeldTask()
            made.append(try workflow.add(new, prerequisites: prerequisites[task].map { made[$0] }))
        }
        tasks = made
    }

    func send(_ message: WorkflowModel.Message, to task: Int) throws {
        let target = tasks[task]
        switch message {
        case .start: try target.start()
        case .cancel: target.cancel()
        case .reset: target.reset()
        case .retry: target.retry()
        case .finish: (target as? HeldTask)?.attempts.values.last?.finish(with: task)
        case .fail: target.fail()
        case .fulfill: (target as? ExternalConditionTask)?.fulfill(with: task)
        }
    }

    /// Brings it to Finished, as can be done from any state.
    func finish() async throws {
        for task in tasks { task.retry() }
        for task in tasks {
            try task.start()
            let ref = try TaskRef<Int>(task)
            if let held = task as? HeldTask {
                await withDiscardingTaskGroup { group in
                    group.addTask { await held.attempts.endAll(with: Int(task.taskID?.path.last ?? 0)) }
                    _ = try? await ref.value
                    group.cancelAll()
                }
            } else {
                (task as? ExternalConditionTask)?.fulfill(with: 0)
                _ = try? await ref.value
            }
        }
    }

    /// Waits until everything has begun that must.
    func waitForModel() async {
        for (index, task) in tasks.enumerated() {
            if model.states[index] == .finished { _ = try? await TaskRef<Int>(task).value }
            await (task as? HeldTask)?.attempts.waitForCount(model.attempts[index])
        }
    }
}

@Suite(.timeLimit(StressRun.timeLimit))
struct WorkflowStressTests {
    @Test(
        "WF-104, WF-18: random messages, one at a time, leave the tasks in the states of the model",
        arguments: StressRun.seeds(5))
    func model(_ seed: UInt64) async throws {
        var random = StableRandom(seed: seed)
        var graph = try StressGraph(&random)
        // Conditions begin on a thread of the workflow too; this stream tells when.
        let begun = ConditionWatch(graph.workflow)
        for step in 0..<80 {
            guard let message = WorkflowModel.Message.allCases.randomElement(using: &random) else { return }
            let task = Int.random(in: 0..<graph.tasks.count, using: &random)
            try graph.send(message, to: task)
            graph.model.send(message, to: task)
            await graph.waitForModel()
            await begun.waitFor(graph.model)
            // A task that was reset is Pending until the thread of its old body has left it.
            let isAsModel = await eventually(
                """
                seed \(seed), step \(step): \(message) to \(task + 1) leaves \(graph.tasks.map(\.state)), \
                not \(graph.model.states), in \(graph.model.prerequisites)
                """
            ) { graph.tasks.map(\.state) == graph.model.states }
            guard isAsModel else { return }
        }
    }

    @Test(
        "WF-104, WF-109: messages from several threads at once keep to the rules, and the workflow can be finished",
        arguments: StressRun.seeds(5))
    func threads(_ seed: UInt64) async throws {
        var random = StableRandom(seed: seed)
        let graph = try StressGraph(&random)
        let judge = EventJudge(graph.model)
        let events = graph.workflow.events
        let reader = Task {
            for await event in events {
                judge.judge(event)
                if case .settled(.finished) = event.kind { return }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    var random = StableRandom(seed: seed &* 31 &+ UInt64(thread))
                    for _ in 0..<150 {
                        guard let message = WorkflowModel.Message.allCases.randomElement(using: &random)
                        else { return }
                        let task = Int.random(in: 0..<graph.tasks.count, using: &random)
                        try? graph.send(message, to: task)
                    }
                }
            }
        }
        try await graph.finish()
        await reader.value
        let states = graph.tasks.map(\.state)
        #expect(states.allSatisfy { $0 == .finished }, "seed \(seed)")
        #expect(judge.faults.values == [], "seed \(seed)")
        #expect(judge.states == states, "seed \(seed)")
    }
}

extension Recorder where Value == TaskAttempt {
    /// Ends each attempt that comes, until one of them was the one Executing.
    func endAll(with value: Int) async {
        var seen = 0
        while !Task.isCancelled {
            await waitForCount(seen + 1)
            for attempt in values.dropFirst(seen) {
                seen += 1
                if attempt.finish(with: value) { return }
            }
        }
    }
}
