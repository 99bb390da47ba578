/// A task created from a method of an object, which it references weakly.
///
///     MethodTask(name: "sync", target: model, method: Model.sync)
public final class MethodTask: WorkflowTask, @unchecked Sendable {  // nothing is reassigned
    private enum Method: Sendable {
        case withAttempt(@Sendable (AnyObject, TaskAttempt) -> Void)
        case async(@Sendable (AnyObject) async throws -> (any Sendable)?)
    }

    private weak var reference: AnyObject?
    private let method: Method
    private let keys: Set<PrerequisiteKey>

    /// The object; nil after it was freed.
    public var target: AnyObject? { reference }

    /// Creates a task that calls a method with the attempt; the method ends the attempt.
    ///
    /// - Parameters:
    ///   - name: The name; nil for the default.
    ///   - target: The object.
    ///   - method: The method.
    ///   - keys: The required prerequisite keys.
    ///   - options: The options of the task.
    public init<Target: AnyObject & Sendable>(
        name: String? = nil, target: Target, method: @escaping @Sendable (Target) -> (TaskAttempt) -> Void,
        requiredPrerequisiteKeys keys: Set<PrerequisiteKey> = [], options: TaskOptions = .init()
    ) {
        reference = target
        self.keys = keys
        self.method = .withAttempt { object, attempt in
            // The cast always succeeds: `object` is the given target.
            if let target = object as? Target { method(target)(attempt) }
        }
        super.init(name: name, options: options)
    }

    /// Creates a task that calls an `async` method, which returns the result.
    ///
    /// - Parameters:
    ///   - name: The name; nil for the default.
    ///   - target: The object.
    ///   - method: The method.
    ///   - keys: The required prerequisite keys.
    ///   - options: The options of the task.
    public init<Target: AnyObject & Sendable, Output: Sendable>(
        name: String? = nil, target: Target,
        method: @escaping @Sendable (Target) -> @Sendable () async throws -> Output,
        requiredPrerequisiteKeys keys: Set<PrerequisiteKey> = [], options: TaskOptions = .init()
    ) {
        reference = target
        self.keys = keys
        self.method = .async { object in
            guard let target = object as? Target else { return nil }
            return try await method(target)()
        }
        super.init(name: name, options: options)
    }

    /// The keys given at creation.
    public override var requiredPrerequisiteKeys: Set<PrerequisiteKey> { keys }

    /// Calls the method.
    public override func main() {
        let attempt = currentAttempt
        // The object was freed before the attempt.
        guard let target else {
            attempt.fail(with: WorkflowError(.targetGone, name, "the target of the method is gone"))
            return
        }
        switch method {
        case .withAttempt(let call): call(target, attempt)
        // The base class marks the attempt, and the engine then calls `run()`.
        case .async: super.main()
        }
    }

    /// Calls the `async` method.
    ///
    /// - Throws: `.targetGone` if the target was freed; otherwise the error of the method.
    public override func run() async throws -> (any Sendable)? {
        // The object may also be freed after `main`, before the Swift task begins.
        guard case .async(let call) = method, let target else {
            throw WorkflowError(.targetGone, name, "the target of the method is gone")
        }
        return try await call(target)
    }

    override var hasHooks: Bool { false }
}
