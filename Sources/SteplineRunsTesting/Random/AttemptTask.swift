import SteplineSupport
import SteplineWorkflow

/// A task whose first attempts fail, and that then has a number.
final class AttemptTask: WorkflowTask, @unchecked Sendable {  // what it adds is constant
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

/// Goes on until it is told to stop.
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
    /// So many attempts, whatever they fail with, with next to no wait.
    static func quick(_ attempts: Int) -> RetryPolicy {
        .constant(attempts: attempts, delay: .milliseconds(1)) { _ in true }
    }
}
