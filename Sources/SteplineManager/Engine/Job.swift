import SteplineSupport

/// A record with its task.
final class Job<Managed: ManagedTask>: TypedRecord<Managed.Success>, @unchecked Sendable {
    // the lock of `core` protects the first two variables; each of the others has one user at a time
    /// The task as added, and as interceptors have changed it; nil once the handle has ended.
    private var original: Managed?
    private var current: Managed?

    /// What the interceptors' loop works on.
    private var intercepted: Managed?
    private var interceptedLane: TaskLane?
    /// What the body runs.
    private var running: Managed?
    /// What the reactors' loop asks about.
    private var asked: Managed?

    private var askedResult: Result<Managed.Success, any Error>?

    init(_ task: Managed, name: String, tags: Set<String>, core: ManagerCore) {
        original = task
        current = task
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

    override func letGo(of use: TaskUse) {
        switch use {
        case .interceptors: intercepted = nil
        case .body: running = nil
        case .reactors:
            asked = nil
            askedResult = nil
        }
    }

    override func intercept(
        with interceptor: any Interceptor, _ context: InterceptContext
    ) async throws -> InterceptCommand {
        guard var task = intercepted else { return .discard }
        let command = try await interceptor.intercept(&task, context: context)
        intercepted = task
        if let laneOf = core.laneOf { interceptedLane = laneOf(task) }
        return command
    }

    override func execute(attempt: Int) async {
        guard let task = running else { return }
        running = nil
        if let limit = limit ?? task.timeout { core.limit(self, attempt: attempt, to: limit) }
        let outcome: Result<Managed.Success, any Error>
        do { outcome = .success(try await task.execute()) } catch { outcome = .failure(error) }
        if case .failure(let outside as OutsideCancellation) = outcome {
            core.update { machine in
                if self.attempt == attempt { machine.cancel(self, reason: outside.reason) }
            }
        }
        core.bodyEnded(self, attempt: attempt) { self.result = outcome }
    }

    override func ask(_ reactor: any Reactor, _ context: ReactionContext) async -> Bool {
        guard let asked, let result = askedResult else { return false }
        return await reactor.shouldExecute(after: result, of: asked, context: context)
    }

    override func wait(for reactor: any WaitingReactor, _ context: ReactionContext) -> Duration? {
        guard let asked, let result = askedResult else { return nil }
        return reactor.wait(after: result, of: asked, context: context)
    }

    override func conclude(_ error: (any Error)?) -> Delivery {
        var delivery = super.conclude(error)
        if error != nil, let task = current { delivery.didCancel = { task.didCancel(because: $0) } }
        original = nil
        current = nil
        return delivery
    }
}
