import Foundation
import SteplineSupport

extension WorkflowCore {
    /// Tells the listeners of a task of one change, in the fixed order.
    func tell(_ change: TaskChange, of number: Int32) {
        let task = task(number)
        let workflow = machine.withLock { $0.workflow }
        let delegate = surroundings.withLock { $0.delegate }
        task.observers.forEach { observer in called { observer(change.change) } }
        let snapshot = change.change.snapshot
        switch change.kind {
        case .started:
            post(WorkflowTask.didStartNotification, task)
        case .finished:
            task.didFinish(with: snapshot.result)
            if let own = task.delegate { called { own.task(task, didFinishWith: snapshot.result) } }
            post(WorkflowTask.didFinishNotification, task)
        case .failed:
            task.didFail(with: snapshot.error)
            if let own = task.delegate { called { own.task(task, didFailWith: snapshot.error) } }
            post(WorkflowTask.didFailNotification, task)
            guard let workflow else { return }
            if let delegate {
                called { delegate.workflow(workflow, task: task, didFailWith: snapshot.error) }
            }
            post(Workflow.taskDidFailNotification, workflow, about: task)
        case .cancelled:
            task.didCancel()
            if let own = task.delegate { called { own.taskDidCancel(task) } }
            post(WorkflowTask.didCancelNotification, task)
            guard let workflow else { return }
            if let delegate { called { delegate.workflow(workflow, taskDidCancel: task) } }
            post(Workflow.taskDidCancelNotification, workflow, about: task)
        case .reset:
            task.didReset()
            post(WorkflowTask.didResetNotification, task)
        case .retried:
            task.didRetry()
            post(WorkflowTask.didRetryNotification, task)
        case .ready, .pending, .attemptFailed:
            break
        }
    }

    func tellComplete() {
        guard let workflow = machine.withLock({ $0.workflow }) else { return }
        if let delegate = surroundings.withLock({ $0.delegate }) {
            called { delegate.workflowDidFinish(workflow) }
        }
        post(Workflow.didFinishNotification, workflow)
    }

    /// Tells of a message to the whole workflow before it takes effect.
    func willDo(_ kind: WorkflowEvent.Kind) {
        drive { $0.countOwn(kind) }
        guard let workflow = machine.withLock({ $0.workflow }) else { return }
        switch kind {
        case .willStart: post(Workflow.willStartNotification, workflow)
        case .willCancel: post(Workflow.willCancelNotification, workflow)
        case .willReset: post(Workflow.willResetNotification, workflow)
        default: post(Workflow.willRetryNotification, workflow)
        }
    }

    private func called(_ callback: @escaping @Sendable () -> Void) {
        CallbackContext(options.callbackQueue).perform(callback)
    }

    private func post(_ name: Notification.Name, _ object: some Sendable, about task: WorkflowTask? = nil) {
        guard let center = surroundings.withLock({ $0.notificationCenter }) else { return }
        called {
            center.post(name: name, object: object, userInfo: task.map { [Workflow.taskKey: $0] })
        }
    }

    /// Sees whether all tasks are to be told of, after a delegate was set.
    func heedListeners() {
        let tells = surroundings.withLock { $0.delegate != nil || $0.notificationCenter != nil }
        machine.withLock { $0.tellsAll = tells }
    }

    /// The workflow is gone: its tasks keep their state, and nothing else is left.
    func disband() {
        let remains = machine.withLock { $0.disband() }
        for (task, past) in remains.tasks { task.leave(self, with: past) }
        for waiter in remains.waiters { waiter() }
        for wakeup in remains.wakeups { wakeup() }
    }
}

/// What is let go of when a workflow ends, once the lock is released.
struct WorkflowRemains {
    var tasks: [(WorkflowTask, TaskPast)] = []
    var works: [TaskPart.Work] = []
    var waiters: [@Sendable () -> Void] = []
    var wakeups: EventFanout<WorkflowEvent>.Wakeups = []
    var tables: TaskTables
}

extension WorkflowState {
    fileprivate mutating func disband() -> WorkflowRemains {
        var remains = WorkflowRemains(tables: tables)
        isDisbanded = true
        for (number, waiters) in tables.waiters {
            let snapshot = snapshot(Int(number))
            remains.waiters += waiters.map { waiter in { waiter(snapshot) } }
        }
        for index in nodes.indices {
            let number = Int32(truncatingIfNeeded: index)
            if let task = object(number) { remains.tasks.append((task, past(index))) }
            if case .nothing = parts[index].work { continue }
            remains.works.append(parts[index].work)
            parts[index].work = .nothing
        }
        remains.wakeups = readers.finish()
        queue = ReadyQueue()
        tables = TaskTables(name: tables.name)
        return remains
    }

    private func past(_ index: Int) -> TaskPast {
        let node = nodes[index]
        return TaskPast(
            state: node.state == .pending || node.state == .executing ? .ready : node.state,
            attempt: node.attempt,
            value: parts[index].value, finishDate: date(parts[index].endedAt).timeIntervalSinceReferenceDate,
            isFulfilled: node.flags.contains(.fulfilled),
            fulfilment: tables.fulfilments[Int32(truncatingIfNeeded: index)] ?? nil
        )
    }

    /// Whether a task runs on an operation queue: its own, or else the workflow's.
    mutating func heedQueue(_ index: Int, _ workflowHasQueue: Bool) {
        let own = object(Int32(truncatingIfNeeded: index))?.operationQueue != nil
        if own || workflowHasQueue {
            nodes[index].flags.insert(.onQueue)
        } else {
            nodes[index].flags.remove(.onQueue)
        }
    }
}
