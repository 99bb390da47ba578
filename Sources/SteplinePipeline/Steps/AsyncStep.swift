import Foundation
import SteplineEngine
import SteplineSupport

/// A step with an `async` body: override ``process(_:)``.
///
/// It holds no thread while it waits. Cancelling the step, or its time-out, cancels the Swift task that the
/// body runs in.
open class AsyncStep<Input: Sendable, Output: Sendable>: KeyedStep<Input, Output>, @unchecked Sendable {
    /// Turns the input into the output.
    ///
    /// - Throws: An error that fails the step.
    open func process(_ input: Input) async throws -> Output {
        throw PipelineError.notImplemented(type(of: self), "process(_:)")
    }

    final override var runsInTask: Bool { true }

    final override func runBody(_ context: StepContext, _ bag: Content) -> AttemptEnd? {
        runInTask(context) { [self] in storing(try await process(try input(in: bag)), in: bag) }
    }
}

extension StepOperation {
    /// Runs an async body in a Swift task, which is cancelled when the attempt is stopped.
    func runInTask(
        _ context: StepContext, _ body: @escaping @Sendable () async throws -> Content
    ) -> AttemptEnd? {
        let task = Stages.task { [self] in
            do {
                // A task cancelled before its start must not run the body.
                try Task.checkCancellation()
                end(attempt: context.attempt, error: nil, content: try await body(), inTask: true)
            } catch {
                end(attempt: context.attempt, error: error, content: nil, inTask: true)
            }
        }
        // Registered after the start: `onCancel` calls the handler at once if the attempt was stopped meanwhile.
        context.onCancel { task.cancel() }
        return nil
    }
}
