import SteplineSupport

/// A record with its task.
final class Job<Managed: ManagedTask>: TypedRecord<Managed.Success>, @unchecked Sendable {
    // the lock of `core` protects all variables
    /// The task as added, and as interceptors have changed it; nil once the handle has ended.
    private var original: Managed?
    private var current: Managed?

    init(_ task: Managed, _ identifier: ManagedTaskID, name: String, tags: Set<String>, core: ManagerCore) {
        original = task
        current = task
        super.init(identifier, name: name, tags: tags, core: core)
    }

    override var ownTimeout: Duration? { core.machine.withLock { _ in current }?.timeout }

    override func restoreTask() { current = original }

    override func intercept(
        with interceptor: any Interceptor, _ context: InterceptContext
    ) async throws -> InterceptCommand {
        guard var task = core.machine.withLock({ _ in current }) else { return .discard }
        let command = try await interceptor.intercept(&task, context: context)
        core.machine.withLock { _ in if current != nil { current = task } }
        return command
    }

    override func execute(attempt: Int) async {
        guard let task = core.machine.withLock({ _ in self.attempt == attempt ? current : nil }) else {
            return
        }
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
        let (task, result) = core.machine.withLock { _ in (self.current, self.result) }
        guard let task, let result else { return false }
        return await reactor.shouldExecute(after: result, of: task, context: context)
    }

    override func conclude(_ error: (any Error)?) -> Delivery {
        var delivery = super.conclude(error)
        if let task = current { delivery.didCancel = { task.didCancel(because: $0) } }
        original = nil
        current = nil
        return delivery
    }
}
