import SteplineSupport

/// A record with its task.
///
/// The task is stored in boxes, and changes replace references to boxes. In generic code each access to a value of
/// unknown type costs a lookup of its layout.
///
/// `original` and `current` are protected by the manager's lock. A use outside the lock works on its own copy:
/// `checkOut` stores the copy under the lock, and `takeBack` clears it.
final class Job<Managed: ManagedTask>: TypedRecord<Managed.Success>, @unchecked Sendable {
    // The manager's lock protects the first two variables; each other variable has one user at a time.
    /// The task in its original form, and as changed by interceptors; nil after the end.
    private var original: TaskBox<Managed>?
    private var current: TaskBox<Managed>?

    /// The copy for the interceptors.
    private var intercepted: TaskBox<Managed>?
    private var interceptedLane: TaskLane?
    /// The copy for the body.
    private var running: TaskBox<Managed>?

    private let laneOf: (@Sendable (any ManagedTask) -> TaskLane?)?

    init(_ task: Managed, _ terms: TaskTerms, laneOf: (@Sendable (any ManagedTask) -> TaskLane?)?) {
        let box = TaskBox(task)
        original = box
        current = box
        self.laneOf = laneOf
        super.init(terms)
        if let laneOf { stand.lane = laneOf(task) }
    }

    // MARK: Under the lock

    override func restoreTask() -> (any AnyObject & Sendable)? {
        defer { current = original }
        return current
    }

    override func checkOut(for use: TaskUse) {
        switch use {
        case .interceptors: intercepted = current
        case .body: running = current
        }
    }

    override func copyForReactors() -> ReactionCopy { ReactionCopy(task: current, result: keptResult) }

    override func checkIn() {
        // The record ended while the interceptors were asked: drop their changes.
        guard current != nil else { return }
        current = intercepted
        // An interceptor may have changed the task in a way that selects another lane.
        if laneOf != nil { stand.lane = interceptedLane }
    }

    override func takeBack(from use: TaskUse) -> TaskLeftovers {
        var leftovers = TaskLeftovers()
        switch use {
        case .interceptors:
            leftovers.current = intercepted
            intercepted = nil
        case .body:
            leftovers.current = running
            // The body usually takes the copy itself; a copy is left only if the body never began.
            running = nil
        }
        return leftovers
    }

    override func conclude(with ending: TaskEnding) -> TaskLeftovers {
        var leftovers = super.conclude(with: ending)
        leftovers.original = original
        leftovers.current = current
        original = nil
        current = nil
        return leftovers
    }

    // MARK: Elsewhere

    override func intercept(
        with interceptor: any Interceptor, _ context: InterceptContext
    ) async throws -> InterceptCommand {
        guard let box = intercepted else { return .discard }
        if !box.isOwn {
            // Copy before the first change: other users share this box.
            intercepted = TaskBox(box.task, isOwn: true)
        }
        guard let own = intercepted else { return .discard }
        let command = try await interceptor.intercept(&own.task, context: context)
        if let laneOf { interceptedLane = laneOf(own.task) }
        return command
    }

    // Only the runner that took the attempt reads `running` now, so no lock is needed.
    override var bodyLimit: Duration? { terms.timeout ?? running?.task.timeout }

    override func execute() async -> BodyEnd {
        guard let box = running else { return BodyEnd(result: nil, hasSucceeded: false) }
        // The local box keeps the task alive; the record gives up its copy.
        running = nil
        do {
            let value = try await box.task.execute()
            return BodyEnd(result: ResultBox<Managed.Success>(.success(value)), hasSucceeded: true)
        } catch {
            return failed(with: error)
        }
    }

    override func ask(
        _ reactor: any Reactor, about copy: ReactionCopy, _ context: ReactionContext
    ) async -> Bool {
        guard let (task, result) = typed(copy) else { return false }
        return await reactor.shouldExecute(after: result.result, of: task.task, context: context)
    }

    override func wait(
        for reactor: any WaitingReactor, about copy: ReactionCopy, _ context: ReactionContext
    ) -> Duration? {
        guard let (task, result) = typed(copy) else { return nil }
        return reactor.wait(after: result.result, of: task.task, context: context)
    }

    private func typed(
        _ copy: ReactionCopy
    ) -> (task: TaskBox<Managed>, result: ResultBox<Managed.Success>)? {
        guard let task = copy.task as? TaskBox<Managed>,
            let result = copy.result as? ResultBox<Managed.Success>
        else { return nil }
        return (task, result)
    }

    override func didCancel(_ leftovers: TaskLeftovers, because error: TaskManagerError) {
        (leftovers.current as? TaskBox<Managed>)?.task.didCancel(because: error)
    }
}

/// A task in a box.
final class TaskBox<Managed: ManagedTask>: @unchecked Sendable {  // a box that isn't own is never modified
    var task: Managed
    /// Whether the box belongs to the interceptors, which may modify it.
    let isOwn: Bool

    init(_ task: Managed, isOwn: Bool = false) {
        self.task = task
        self.isOwn = isOwn
    }
}
