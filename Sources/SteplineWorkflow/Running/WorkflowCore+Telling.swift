import Foundation
import SteplineEngine
import SteplineSupport

/// Telling those who listen, on one thread at a time and in the order of events.
extension WorkflowCore {
    private var callbackPlace: CallbackPlace { CallbackPlace(options.callbackQueue) }

    /// Tells all who listen to a task of one change, in the fixed order.
    func tell(_ number: Int32, _ change: TaskChange) {
        let task = task(number)
        let listeners = task.listeners.filter { $0.wants(change) }
        for listener in listeners where listener.kind == .change {
            callbackPlace.perform { listener.tell(change.change) }
        }
        for kind in [TaskListener.Kind.end, .success, .failure] {
            for listener in listeners where listener.kind == kind {
                deliver(number, change, listener.place) { listener.tell(change.change) }
            }
        }
        let own = task.delegate
        let delegate = surroundings.withLock { $0.delegate }
        let workflow = delegate == nil ? nil : look { $0.workflow }
        let snapshot = change.change.snapshot
        switch change.kind {
        case .started:
            post(WorkflowTask.didStartNotification, task)
        case .finished:
            task.didFinish(with: snapshot.result)
            if let own { deliver(number, change) { own.task(task, didFinishWith: snapshot.result) } }
            post(WorkflowTask.didFinishNotification, task)
        case .failed:
            task.didFail(with: snapshot.error)
            if let own { deliver(number, change) { own.task(task, didFailWith: snapshot.error) } }
            post(WorkflowTask.didFailNotification, task)
            if let workflow, let delegate {
                deliver(number, change) {
                    delegate.workflow(workflow, task: task, didFailWith: snapshot.error)
                }
            }
            post(Workflow.taskDidFailNotification, about: task)
        case .cancelled:
            task.didCancel()
            if let own { deliver(number, change) { own.taskDidCancel(task) } }
            post(WorkflowTask.didCancelNotification, task)
            if let workflow, let delegate {
                deliver(number, change) { delegate.workflow(workflow, taskDidCancel: task) }
            }
            post(Workflow.taskDidCancelNotification, about: task)
        case .reset:
            task.didReset()
            post(WorkflowTask.didResetNotification, task)
        case .retried:
            task.didRetry()
            post(WorkflowTask.didRetryNotification, task)
        case .ready, .attemptFailed: break
        }
    }

    /// Calls one who listens; what tells of a success or failure can be taken back.
    private func deliver(
        _ number: Int32, _ change: TaskChange, _ place: CallbackPlace? = nil,
        _ call: @escaping @Sendable () -> Void
    ) {
        let place = place ?? callbackPlace
        switch change.kind {
        case .finished, .failed: deliveries.add(number, place, call)
        default: place.perform(call)
        }
    }

    /// Tells of the workflow itself.
    func announce(_ news: WorkflowNews) {
        let name =
            switch news {
            case .willStart: Workflow.willStartNotification
            case .willCancel: Workflow.willCancelNotification
            case .willReset: Workflow.willResetNotification
            case .willRetry: Workflow.willRetryNotification
            case .complete: Workflow.didFinishNotification
            }
        guard let workflow = look({ $0.workflow }) else { return }
        if case .complete = news, let delegate = surroundings.withLock({ $0.delegate }) {
            callbackPlace.perform { delegate.workflowDidFinish(workflow) }
        }
        post(name, workflow)
    }

    private func post(_ name: Notification.Name, _ object: some Sendable) {
        guard let center = surroundings.withLock({ $0.notificationCenter }) else { return }
        callbackPlace.perform { center.post(name: name, object: object, userInfo: nil) }
    }

    private func post(_ name: Notification.Name, about task: WorkflowTask) {
        guard let center = surroundings.withLock({ $0.notificationCenter }),
            let workflow = look({ $0.workflow })
        else { return }
        callbackPlace.perform {
            center.post(name: name, object: workflow, userInfo: [Workflow.taskKey: task])
        }
    }

    /// Tells of a message to the whole workflow before it takes effect.
    func willDo(_ kind: WorkflowEvent.Kind, _ news: WorkflowNews) {
        change { $0.willDo(kind, news, &$1) }
    }

    /// Sees whether all tasks are to be told of, after a delegate was set.
    func heedListeners() {
        // Compared after the lock, as it may be the last reference.
        let (delegate, center) = surroundings.withLock { ($0.delegate, $0.notificationCenter) }
        let tells = delegate != nil || center != nil
        look { $0.tellsAll = tells }
    }

    // MARK: Runs

    /// Registers who wants to hear of each run's end.
    func add(_ listener: RunListener) -> Subscription {
        listener.place.mark()
        surroundings.withLock { $0.runListeners.append(listener) }
        look { $0.isRunHeard = true }
        return Subscription { [weak self] in
            listener.end()
            self?.removeListeners { $0 === listener }
        }
    }

    func removeListeners(where isMeant: (RunListener) -> Bool) {
        // Those that go are let go of after the lock.
        let before = surroundings.withLock { surroundings in
            let before = surroundings.runListeners
            surroundings.runListeners.removeAll(where: isMeant)
            return before
        }
        for listener in before where isMeant(listener) { listener.end() }
    }

    func tellRunEnded(_ report: RunReport) {
        let listeners = surroundings.withLock { $0.runListeners }
        guard !listeners.isEmpty else { return }
        let name = look { $0.names.workflow }
        for listener in listeners { listener.place.perform { listener.tell(report.outcome(of: name)) } }
    }
}

extension WorkflowMachine {
    /// Counts and announces a message to the whole workflow before it takes effect.
    mutating func willDo(_ kind: WorkflowEvent.Kind, _ news: WorkflowNews, _ turn: inout WorkflowTurn) {
        tellOwn(kind, turn)
        if tellsAll { turn.tell(.announce(news)) }
    }
}
