/// A task made from a closure that ends its attempt itself, now or later.
///
///     BlockTask(name: "greet") { attempt in attempt.finish(with: "Hello") }
///
/// For a closure that simply returns its result, `workflow.add("greet") { "Hello" }` is shorter and cheaper.
public final class BlockTask: WorkflowTask, @unchecked Sendable {  // what it adds is constant
    /// The closure, called once for each attempt.
    public let block: @Sendable (TaskAttempt) -> Void

    private let keys: Set<PrerequisiteKey>

    /// Makes a task that calls `block` in each attempt.
    public init(
        name: String? = nil, requiredPrerequisiteKeys keys: Set<PrerequisiteKey> = [],
        options: TaskOptions = .init(), block: @escaping @Sendable (TaskAttempt) -> Void
    ) {
        self.block = block
        self.keys = keys
        super.init(name: name, options: options)
    }

    /// The keys given when it was made.
    public override var requiredPrerequisiteKeys: Set<PrerequisiteKey> { keys }

    /// Calls the closure.
    public override func main() { block(currentAttempt) }

    override var hasHooks: Bool { false }

    override func begin(_ attempt: TaskAttempt) -> Bool {
        TaskAttempt.$running.withValue(attempt) { block(attempt) }
        return false
    }
}
