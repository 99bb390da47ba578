import SteplineSupport

/// A record with its task.
///
/// A task is kept in boxes, and what changes are references to them: in code that knows the type only at run time
/// each look at a value of it costs a look-up of its layout.
final class Job<Managed: ManagedTask>: TypedRecord<Managed.Success>, @unchecked Sendable {
    // the lock of `core` protects the first two variables; each of the others has one user at a time
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

    init(_ task: Managed, name: String, tags: Set<String>, core: ManagerCore) {
        let box = TaskBox(task)
        original = box
        current = box
        super.init(name: name, tags: tags, core: core)
        if let laneOf = core.laneOf { lane = laneOf(task) }
    }

    override func restoreTask() { current = original }

    override func checkOut(for use: TaskUse) {
        switch use {
        case .interceptors: intercepted = current
        case .body: running = current
        case .reactors:
            asked = current
            askedResult = result
        }
    }

    override func checkIn() {
        guard current != nil else { return }
        current = intercepted
        if core.laneOf != nil { lane = interceptedLane }
    }

    override func letGo(of use: TaskUse) -> Released {
        var released = Released()
        switch use {
        case .interceptors:
            released.add(intercepted)
            intercepted = nil
        case .body:
            released.add(running)
            running = nil
        case .reactors:
            released.add(asked)
            released.add(askedResult)
            asked = nil
            askedResult = nil
        }
        return released
    }

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
        if let laneOf = core.laneOf { interceptedLane = laneOf(own.task) }
        return command
    }

    override func execute(attempt: Int) async -> BodyEnd {
        guard let box = running else { return BodyEnd(result: nil, hasSucceeded: false) }
        running = nil
        let task = box.task
        if let limit = limit ?? task.timeout { core.limit(self, attempt: attempt, to: limit) }
        do {
            let value = try await task.execute()
            return BodyEnd(result: ResultBox<Managed.Success>(.success(value)), hasSucceeded: true)
        } catch {
            return BodyEnd(
                result: ResultBox<Managed.Success>(.failure(error)), hasSucceeded: false,
                outside: error as? OutsideCancellation)
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

    override func conclude(_ error: (any Error)?) -> Delivery {
        var delivery = super.conclude(error)
        if error != nil, let current { delivery.didCancel = { current.task.didCancel(because: $0) } }
        delivery.task = original
        delivery.changedTask = current
        original = nil
        current = nil
        return delivery
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

/// A result, in a place of its own.
final class ResultBox<Success: Sendable>: Sendable {
    let result: Result<Success, any Error>

    init(_ result: Result<Success, any Error>) {
        self.result = result
    }
}

/// How a body has ended.
struct BodyEnd {
    /// A `ResultBox`; nil if the body was not run.
    let result: Released.Object?
    let hasSucceeded: Bool
    /// Its work was cancelled from outside.
    var outside: OutsideCancellation?
}
