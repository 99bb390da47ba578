import SteplineSupport

/// A record with its task.
///
/// A task is kept in boxes, and what changes are references to them: in code that knows the type only at run time
/// each look at a value of it costs a look-up of its layout.
final class Job<Managed: ManagedTask>: TypedRecord<Managed.Success>, @unchecked Sendable {
    // the lock of its manager protects the first two variables; each of the others has one user at a time
    /// The task as added, and as interceptors have changed it; nil once the handle has ended.
    private var original: TaskBox<Managed>?
    private var current: TaskBox<Managed>?

    /// What the interceptors work on.
    private var intercepted: TaskBox<Managed>?
    private var interceptedLane: TaskLane?
    /// What the body runs.
    private var running: TaskBox<Managed>?
    /// What the reactors are asked about.
    private var asked: TaskBox<Managed>?
    private var askedResult: ResultBox<Managed.Success>?

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
        case .reactors:
            asked = current
            askedResult = keptResult
        }
    }

    override func checkIn() {
        guard current != nil else { return }
        current = intercepted
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
            running = nil
        case .reactors:
            leftovers.current = asked
            leftovers.result = askedResult
            asked = nil
            askedResult = nil
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
            // Those who keep the task as it was must not see what is changed.
            intercepted = TaskBox(box.task, isOwn: true)
        }
        guard let own = intercepted else { return .discard }
        let command = try await interceptor.intercept(&own.task, context: context)
        if let laneOf { interceptedLane = laneOf(own.task) }
        return command
    }

    override var bodyLimit: Duration? { terms.timeout ?? running?.task.timeout }

    override func execute() async -> BodyEnd {
        guard let box = running else { return BodyEnd(result: nil, hasSucceeded: false) }
        running = nil
        do {
            let value = try await box.task.execute()
            return BodyEnd(result: ResultBox<Managed.Success>(.success(value)), hasSucceeded: true)
        } catch {
            return failed(with: error)
        }
    }

    override func ask(_ reactor: any Reactor, _ context: ReactionContext) async -> Bool {
        guard let asked, let askedResult else { return false }
        return await reactor.shouldExecute(after: askedResult.result, of: asked.task, context: context)
    }

    override func wait(for reactor: any WaitingReactor, _ context: ReactionContext) -> Duration? {
        guard let asked, let askedResult else { return nil }
        return reactor.wait(after: askedResult.result, of: asked.task, context: context)
    }

    override func didCancel(_ leftovers: TaskLeftovers, because error: TaskManagerError) {
        (leftovers.current as? TaskBox<Managed>)?.task.didCancel(because: error)
    }
}

/// A task, in a place of its own.
final class TaskBox<Managed: ManagedTask>: @unchecked Sendable {  // one that isn't own is never changed
    var task: Managed
    /// Whether it is the interceptors' own, which they may change.
    let isOwn: Bool

    init(_ task: Managed, isOwn: Bool = false) {
        self.task = task
        self.isOwn = isOwn
    }
}
