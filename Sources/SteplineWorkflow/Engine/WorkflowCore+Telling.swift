import Foundation
import SteplineSupport

extension WorkflowCore {
    /// The calls that tell the listeners of a task of one change, in the fixed order.
    func steps(of change: TaskChange, _ number: Int32) -> [TellingStep] {
        let task = task(number)
        let workflow = machine.withLock { $0.workflow }
        let delegate = surroundings.withLock { $0.delegate }
        let own = task.delegate
        let snapshot = change.change.snapshot
        let ending: Int? = change.kind == .finished || change.kind == .failed ? change.event : nil
        var steps = task.observers.map { observer in
            TellingStep { [self] in called { observer(change.change) } }
        }
        func add(_ call: @escaping @Sendable () -> Void) {
            steps.append(TellingStep(call: call, ending: ending))
        }
        func addCall(_ call: @escaping @Sendable () -> Void) {
            guard let ending, options.callbackQueue != nil else { return add { [self] in called(call) } }
            add { [self] in
                called { [self] in if !machine.withLock({ $0.isWithdrawn(ending, of: number) }) { call() } }
            }
        }
        func addPost(_ name: Notification.Name, _ object: some Sendable, about subject: WorkflowTask? = nil) {
            guard let center = surroundings.withLock({ $0.notificationCenter }) else { return }
            addCall {
                center.post(name: name, object: object, userInfo: subject.map { [Workflow.taskKey: $0] })
            }
        }
        switch change.kind {
        case .started:
            addPost(WorkflowTask.didStartNotification, task)
        case .finished:
            add { task.didFinish(with: snapshot.result) }
            if let own { addCall { own.task(task, didFinishWith: snapshot.result) } }
            addPost(WorkflowTask.didFinishNotification, task)
        case .failed:
            add { task.didFail(with: snapshot.error) }
            if let own { addCall { own.task(task, didFailWith: snapshot.error) } }
            addPost(WorkflowTask.didFailNotification, task)
            guard let workflow else { break }
            if let delegate {
                addCall { delegate.workflow(workflow, task: task, didFailWith: snapshot.error) }
            }
            addPost(Workflow.taskDidFailNotification, workflow, about: task)
        case .cancelled:
            add { task.didCancel() }
            if let own { addCall { own.taskDidCancel(task) } }
            addPost(WorkflowTask.didCancelNotification, task)
            guard let workflow else { break }
            if let delegate { addCall { delegate.workflow(workflow, taskDidCancel: task) } }
            addPost(Workflow.taskDidCancelNotification, workflow, about: task)
        case .reset:
            add { task.didReset() }
            addPost(WorkflowTask.didResetNotification, task)
        case .retried:
            add { task.didRetry() }
            addPost(WorkflowTask.didRetryNotification, task)
        case .ready, .pending, .attemptFailed:
            break
        }
        return steps
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
        send { $0.countOwn(kind) }
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

    private func post(_ name: Notification.Name, _ object: some Sendable) {
        guard let center = surroundings.withLock({ $0.notificationCenter }) else { return }
        called { center.post(name: name, object: object) }
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
