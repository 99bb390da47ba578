import SteplineSupport
import SteplineWorkflow

/// A task that fails in its first attempts and then returns a number.
final class AttemptTask: WorkflowTask, @unchecked Sendable {  // its own members are constant
    private let value: Int
    private let failures: Int
    private let began: @Sendable (String) -> Void

    init(
        _ name: String, value: Int, failures: Int, options: TaskOptions = .init(),
        _ began: @escaping @Sendable (String) -> Void
    ) {
        self.value = value
        self.failures = failures
        self.began = began
        super.init(name: name, options: options)
    }

    override var resultType: (any Sendable.Type)? { Int.self }

    override func run() async throws -> (any Sendable)? {
        began(name)
        if currentAttempt.number <= failures { throw Refused(name) }
        return value
    }
}

/// Waits until the task is cancelled, then throws.
func waitToBeStopped() async throws -> Int {
    let stopped = OneShot<Void>()
    await withTaskCancellationHandler {
        await stopped.value
    } onCancel: {
        stopped.fulfill(())
    }
    throw CancellationError()
}

extension RetryPolicy {
    /// Returns a policy that retries after any error, with a delay of a millisecond.
    static func quick(_ attempts: Int) -> RetryPolicy {
        .constant(attempts: attempts, delay: .milliseconds(1)) { _ in true }
    }
}
