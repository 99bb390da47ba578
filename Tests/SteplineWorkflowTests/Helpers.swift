import Foundation
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

struct Broken: Error, Equatable {
    var number = 0
}

/// Runs synchronous bodies in a workflow of one's own clock, without a watchdog to keep it busy.
func makeWorkflow(
    _ name: String = "Workflow", _ options: WorkflowOptions = .init()
) -> Workflow {
    Workflow(name, options: options)
}

/// A task whose attempts are ended by the test.
final class HandTask: WorkflowTask, @unchecked Sendable {  // the recorder locks by itself
    let attempts = Recorder<TaskAttempt>()
    let hooks = Recorder<String>()

    override func main() { attempts.record(currentAttempt) }

    override func didFinish(with result: (any Sendable)?) { hooks.record("didFinish") }
    override func didFail(with error: (any Error)?) { hooks.record("didFail") }
    override func didCancel() { hooks.record("didCancel") }
    override func didReset() { hooks.record("didReset \(state)") }
    override func didRetry() { hooks.record("didRetry \(state)") }

    /// The attempt of that number, once its body has begun.
    func attempt(_ number: Int = 1) async -> TaskAttempt {
        await attempts.waitForCount(number)
        return attempts.values[number - 1]
    }
}

extension WorkflowTask {
    /// Waits until the task is Ready after a reset or a retry.
    ///
    /// A thread that is notifying earlier events notifies the reset too, and only then is the task Ready.
    func untilReady(sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("the task is \(state), not Ready", sourceLocation: sourceLocation) { isReady }
    }

    /// Waits until the task is Ready or, where it begins at once, Executing.
    func untilReadyOrExecuting(sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("the task is \(state), not Ready or Executing", sourceLocation: sourceLocation) {
            isReady || isExecuting
        }
    }
}

/// A block task that finishes with its name.
func named(_ name: String) -> BlockTask {
    BlockTask(name: name) { $0.finish(with: name) }
}

/// The error that `body` throws, as a `WorkflowError`.
func workflowError(_ body: () throws -> Void) -> WorkflowError? {
    do {
        try body()
        return nil
    } catch {
        return error as? WorkflowError
    }
}

/// The error that `body` throws, as a `WorkflowError`.
func workflowError(_ body: () async throws -> Void) async -> WorkflowError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? WorkflowError
    }
}

extension Workflow {
    /// Waits until nothing more happens by itself, in a workflow that runs.
    func settle() async {
        _ = try? await run()
    }
}

/// Collects a workflow's events, from the moment it is made.
final class EventLog: Sendable {
    let events = Recorder<WorkflowEvent>()
    private let reader: Task<Void, Never>

    init(_ workflow: Workflow) {
        let stream = workflow.events
        reader = Task { [events] in
            for await event in stream { events.record(event) }
        }
    }

    /// The events so far, once one of this kind has come.
    func until(_ isLast: @escaping @Sendable (WorkflowEvent) -> Bool) async -> [WorkflowEvent] {
        var count = 1
        while true {
            await events.waitForCount(count)
            let all = events.values
            if let last = all.firstIndex(where: isLast) { return Array(all[...last]) }
            if Task.isCancelled { return all }
            count = all.count + 1
        }
    }

    deinit { reader.cancel() }
}
