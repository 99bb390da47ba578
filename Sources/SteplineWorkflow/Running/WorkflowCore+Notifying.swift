import Foundation
import SteplineEngine
import SteplineSupport

/// Notifies listeners, on one thread at a time and in the order of events.
///
/// The order for one change: observers, callbacks (for any end, then for success or failure), the hook of the task's
/// class, its delegate, the notification of the task, the workflow's delegate, the workflow's notification.
extension WorkflowCore {
    private var callbackPlace: CallbackPlace { CallbackPlace(options.callbackQueue) }

    /// Notifies all listeners of a task of one change.
    func notifyListeners(of transition: TaskTransition) {
        let task = task(transition.task)
        // Most tasks have neither: their changes are for the workflow's delegate and notification center.
        var (listeners, own) = task.observers
        if !listeners.isEmpty {
            notify(listeners, of: transition)
            // A callback may have set another delegate.
            own = task.delegate
        }
        let (delegate, center) = surroundings.withLock { ($0.delegate, $0.notificationCenter) }
        let workflow = delegate == nil ? nil : look { $0.workflow }
        switch transition.kind {
        case .started:
            post(WorkflowTask.didStartNotification, task, to: center)
        case .finished:
            let result = transition.change.snapshot.result
            // Hooks are called on this thread, also if callbacks have a queue.
            task.didFinish(with: result)
            if let own { deliver(transition) { own.task(task, didFinishWith: result) } }
            post(WorkflowTask.didFinishNotification, task, to: center)
        case .failed:
            let error = transition.change.snapshot.error
            task.didFail(with: error)
            if let own { deliver(transition) { own.task(task, didFailWith: error) } }
            post(WorkflowTask.didFailNotification, task, to: center)
            if let workflow, let delegate {
                deliver(transition) { delegate.workflow(workflow, task: task, didFailWith: error) }
            }
            post(Workflow.taskDidFailNotification, about: task, to: center)
        case .cancelled:
            task.didCancel()
            if let own { deliver(transition) { own.taskDidCancel(task) } }
            post(WorkflowTask.didCancelNotification, task, to: center)
            if let workflow, let delegate {
                deliver(transition) { delegate.workflow(workflow, taskDidCancel: task) }
            }
            post(Workflow.taskDidCancelNotification, about: task, to: center)
        case .reset:
            task.didReset()
            post(WorkflowTask.didResetNotification, task, to: center)
        case .retried:
            task.didRetry()
            post(WorkflowTask.didRetryNotification, task, to: center)
        case .ready, .attemptFailed: break
        }
    }

    /// Calls the observers and callbacks that get this change.
    private func notify(_ listeners: [Listener<WorkflowTask.Change>], of transition: TaskTransition) {
        let change = transition.change
        let listeners = listeners.filter {
            // A listener registered after the event isn't notified of it: its registration has seen the new state.
            $0.since < transition.event && $0.kind.includes(change.newState)
        }
        for listener in listeners where listener.kind == .change {
            // Observers get every change: a cancel withdraws none of these calls.
            callbackPlace.perform { listener.notify(change) }
        }
        for kind in [ListenerKind.end, .success, .failure] {
            for listener in listeners where listener.kind == kind {
                deliver(transition, listener.place) { listener.notify(change) }
            }
        }
    }

    /// Calls a callback or delegate; a call about a success or failure can be withdrawn until it begins.
    private func deliver(
        _ transition: TaskTransition, _ place: CallbackPlace? = nil, _ call: @escaping @Sendable () -> Void
    ) {
        let place = place ?? callbackPlace
        switch transition.kind {
        case .finished, .failed: deliveries.add(transition.task, place, call)
        default: place.perform(call)
        }
    }

    /// Notifies the workflow's delegate and notification center about the workflow itself.
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
        post(name, workflow, to: surroundings.withLock { $0.notificationCenter })
    }

    private func post(
        _ name: Notification.Name, _ object: some Sendable, to center: NotificationCenter?
    ) {
        guard let center else { return }
        callbackPlace.perform { center.post(name: name, object: object, userInfo: nil) }
    }

    private func post(_ name: Notification.Name, about task: WorkflowTask, to center: NotificationCenter?) {
        guard let center, let workflow = look({ $0.workflow }) else { return }
        callbackPlace.perform {
            center.post(name: name, object: workflow, userInfo: [Workflow.taskKey: task])
        }
    }

    /// Announces a message to the whole workflow before it takes effect.
    func willDo(_ news: WorkflowNews) { change { $0.announce(news, &$1) } }

    /// Updates whether the changes of all tasks are notified, after a delegate was set.
    func updateListeners() {
        // Compared after the lock, as it may be the last reference.
        let (delegate, center) = surroundings.withLock { ($0.delegate, $0.notificationCenter) }
        let notifies = delegate != nil || center != nil
        look { $0.notifiesAll = notifies }
    }

    // MARK: Runs

    /// Registers a listener for the end of each run.
    func add(_ listener: Listener<Outcome<RunReport>>) -> Subscription {
        listener.place.mark()
        surroundings.withLock { $0.runListeners.append(listener) }
        look { $0.hasRunListeners = true }
        return Subscription { [weak self] in
            listener.end()
            self?.removeListeners { $0 === listener }
        }
    }

    func removeListeners(where isMeant: (Listener<Outcome<RunReport>>) -> Bool) {
        for listener in surroundings.withLock({ $0.runListeners.take(where: isMeant) }) { listener.end() }
    }

    func notifyRunEnded(_ report: RunReport) {
        // A copy: a listener may add and remove listeners.
        let listeners = surroundings.withLock { $0.runListeners }
        guard !listeners.isEmpty else { return }
        let name = look { $0.names.workflow }
        for listener in listeners { listener.place.perform { listener.notify(report.outcome(of: name)) } }
    }
}
