public import Dispatch
import SteplineEngine
public import SteplineSupport

extension Workflow {
    /// Calls `body` with the newest progress after each change, also in later runs.
    ///
    ///     workflow.onProgress(on: .main, for: self) { self.bar.value = $0.fraction }
    ///
    /// A slow place skips values; the calls come one after the other.
    ///
    /// - Parameters:
    ///   - queue: The queue of the call; nil for a thread of Swift's pool, which `body` must not block.
    ///   - owner: An identity for ``removeCallbacks(of:)``, which isn't retained.
    ///   - body: The callback.
    /// - Returns: A subscription whose cancellation ends the calls.
    @discardableResult
    @_disfavoredOverload
    public func onProgress(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (WorkflowProgress) -> Void
    ) -> Subscription {
        core.listenToProgress(CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the newest progress on the main actor; see the variant for queues.
    @discardableResult
    public func onProgress(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (WorkflowProgress) -> Void
    ) -> Subscription {
        core.listenToProgress(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the newest progress on that actor; see the variant for queues.
    @discardableResult
    public func onProgress<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, WorkflowProgress) -> Void
    ) -> Subscription {
        core.listenToProgress(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }
}

extension TaskRef {
    /// Calls `body` with the newest progress of the task after each change.
    ///
    ///     let pages = try workflow.map("page", over: urls) { url in try await load(url) }
    ///     pages.onProgress(on: .main, for: self) { self.label.text = "\($0.finished) of \($0.total)" }
    ///
    /// The progress counts the elements of a map, and the tasks of a subworkflow. Any other task counts as one. For a
    /// map over a collection each call takes time in proportion to the elements.
    ///
    /// - Parameters:
    ///   - queue: The queue of the call; nil for a thread of Swift's pool, which `body` must not block.
    ///   - owner: An identity for ``Workflow/removeCallbacks(of:)``, which isn't retained.
    ///   - body: The callback.
    /// - Returns: A subscription whose cancellation ends the calls.
    @discardableResult
    @_disfavoredOverload
    public func onProgress(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (WorkflowProgress) -> Void
    ) -> Subscription {
        core.listenToProgress(of: index, CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the newest progress of the task on the main actor; see the variant for queues.
    @discardableResult
    public func onProgress(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (WorkflowProgress) -> Void
    ) -> Subscription {
        core.listenToProgress(of: index, CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the newest progress of the task on that actor; see the variant for queues.
    @discardableResult
    public func onProgress<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, WorkflowProgress) -> Void
    ) -> Subscription {
        core.listenToProgress(of: index, .actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }
}

extension WorkflowCore {
    /// Registers a callback for the progress of the workflow, or of one task.
    fileprivate func listenToProgress(
        of number: Int32? = nil, _ place: CallbackPlace, _ owner: AnyObject?,
        _ body: @escaping @Sendable (WorkflowProgress) -> Void
    ) -> Subscription {
        let inside = number.flatMap { number in look { $0.object(number) } as? SubworkflowTask }
        let source = inside?.subworkflow.core ?? self
        let numbers = inside == nil ? number.map { number in look { $0.counted(number) } } : nil
        let listener = ProgressListener(
            place, owner,
            reading: { [weak source] in
                guard let source else { return nil }
                return numbers == nil ? source.progress : source.look { $0.progress(of: numbers) }
            }, with: { [weak self] in self?.propagatedValues }, body)
        // Stored here also for a task inside: an owner's callbacks are removed at one workflow.
        surroundings.withLock { $0.progressListeners.append(listener) }
        let events = EventStream<WorkflowEvent>()
        source.add(events)
        listener.follow(events)
        return Subscription { [weak self] in
            listener.end()
            self?.surroundings.withLock { $0.progressListeners.removeAll { $0 === listener } }
        }
    }

    /// Ends an owner's callbacks for progress.
    func removeProgressListeners(of owner: AnyObject) {
        for listener in surroundings.withLock({ $0.progressListeners.take(of: owner) }) { listener.end() }
    }
}

extension WorkflowMachine {
    /// The tasks that a task's progress counts: the elements of the list that it joins, or itself.
    fileprivate func counted(_ number: Int32) -> [Int32] {
        let elements = graph.prerequisites(of: number)
        let joinsList = !elements.isEmpty && elements.allSatisfy { rare.lists.element(of: $0) != nil }
        return joinsList ? elements : [number]
    }
}
