/// A task created from a closure that ends its attempt, at once or later.
///
///     BlockTask(name: "greet") { attempt in attempt.finish(with: "Hello") }
///
/// For a closure that returns its result, use the shorter and cheaper `workflow.add("greet") { "Hello" }`.
public final class BlockTask: WorkflowTask, @unchecked Sendable {  // what it adds is constant
    /// The closure, called once per attempt.
    public let block: @Sendable (TaskAttempt) -> Void

    private let keys: Set<PrerequisiteKey>

    /// Creates a task.
    ///
    /// - Parameters:
    ///   - name: The name; nil for the default.
    ///   - keys: The required prerequisite keys.
    ///   - options: The options of the task.
    ///   - block: The closure, which ends the attempt.
    public init(
        name: String? = nil, requiredPrerequisiteKeys keys: Set<PrerequisiteKey> = [],
        options: TaskOptions = .init(), block: @escaping @Sendable (TaskAttempt) -> Void
    ) {
        self.block = block
        self.keys = keys
        super.init(name: name, options: options)
    }

    /// The keys given at creation.
    public override var requiredPrerequisiteKeys: Set<PrerequisiteKey> { keys }

    /// Calls the closure.
    public override func main() { block(currentAttempt) }

    override var hasHooks: Bool { false }

    override func begin(_ attempt: TaskAttempt) -> Bool {
        TaskAttempt.$running.withValue(attempt) { block(attempt) }
        // The closure ends the attempt itself; `run()` isn't called.
        return false
    }
}
