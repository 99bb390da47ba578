import Foundation
import SteplineRuns
import SteplineWorkflow

extension RunStoreRequirement {
    /// A random workflow whose run is kept: of each task all is told that is told of one that isn't kept, in that order,
    /// and no task begins before those that it waits for have ended.
    static func story(seed: UInt64) -> RunStoreRequirement {
        RunStoreRequirement("DR-70: a run that is kept is told as one that isn't, seed \(seed)") { trial in
            let random = RandomRun(seed: seed, count: 24)
            let (plain, kept) = (try random.make(), try random.make())
            let expected = await Story(of: plain) { _ = await plain.outcome() }
            let found = await Story(of: kept) { _ = try? await kept.run(in: trial.store, key: "story") }
            for (task, events) in expected.byTask.sorted(by: { $0.key < $1.key }) {
                try trial.expect("what is told of \(task)", found.byTask[task], is: events)
            }
            try trial.expect("of how many is told", found.byTask.count, is: expected.byTask.count)
            try trial.expect("who began too early", found.early(in: kept), is: [])
            try trial.expect("how it stands at the end", RandomRun.states(kept), is: RandomRun.states(plain))
            try trial.expect("attempts", attempts(of: kept), is: attempts(of: plain))
        }
    }

    private static func attempts(of workflow: Workflow) -> [String: Int] {
        workflow.allTasks.reduce(into: [:]) { $0[$1.name] = $1.snapshot.attempt }
    }
}

/// All that is told of one run.
private struct Story {
    private let events: [WorkflowEvent]

    init(of workflow: Workflow, _ run: () async -> Void) async {
        let stream = workflow.events
        async let told = Self.told(by: stream)
        await run()
        events = await told
    }

    private static func told(
        by events: some AsyncSequence<WorkflowEvent, Never> & Sendable
    ) async -> [WorkflowEvent] {
        var told: [WorkflowEvent] = []
        for await event in events {
            told.append(event)
            if case .settled = event.kind { break }
        }
        return told
    }

    /// What was told of each task, and of the whole, without the numbers of events.
    var byTask: [String: [String]] {
        events.reduce(into: [:]) { $0[$1.name, default: []].append(String("\($1)".drop { $0 != " " })) }
    }

    /// The tasks that began before one that they wait for had ended.
    func early(in workflow: Workflow) -> [String] {
        var ended: Set<TaskID> = []
        var early: [String] = []
        let pairs = workflow.allTasks.compactMap { task in task.taskID.map { ($0, task) } }
        let tasks = Dictionary(uniqueKeysWithValues: pairs)
        for event in events {
            guard let id = event.task, let task = tasks[id] else { continue }
            switch event.kind {
            case .started:
                let waitedFor = task.prerequisites.compactMap(\.taskID)
                if !ended.isSuperset(of: waitedFor) { early.append(event.name) }
            case .finished, .failed, .cancelled, .blocked: ended.insert(id)
            default: break
            }
        }
        return early
    }
}
