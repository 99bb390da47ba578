import Foundation
import SteplineEngine
import SteplineSupport

/// A step with an `async` body: override ``process(_:)``.
///
/// The step occupies no thread while its body is suspended. Cancelling the step, or its time-out, cancels the Swift
/// task of the body.
open class AsyncStep<Input: Sendable, Output: Sendable>: StepOperation, TypedStep, @unchecked Sendable {
    // Subclasses are `@unchecked` too and must protect their own properties, best with `let`.

    final var given: GivenKeys<Input, Output>?

    /// The key of the input for ``process(_:)``.
    open var inputKey: ContentKey<Input> { .body }

    /// The key of the result.
    open var outputKey: ContentKey<Output> { .body }

    /// The entries that the step reads: ``inputKey``; override to declare more.
    open override var inputs: [AnyContentKey] { (given?.input ?? inputKey).declared }

    /// The entries that the step writes: ``outputKey``; override to declare more.
    open override var outputs: [AnyContentKey] { (given?.output ?? outputKey).declared }

    /// Returns the output for an input; a thrown error fails the step.
    open func process(_ input: Input) async throws -> Output {
        throw PipelineError.notImplemented(type(of: self), "process(_:)")
    }

    final override func takeKeys(of other: StepOperation) {
        if let other = other as? Self { given = other.given }
    }

    /// Does nothing: ``process(_:)`` is the body.
    public final override func main() {}

    final override var runsInTask: Bool { true }

    final override func runBody(_ context: StepContext, _ bag: Content) -> AttemptEnd? {
        runInTask(context) { [self] in
            let output = try await process(bag.value(for: given?.input ?? inputKey))
            return bag.storing(output, for: given?.output ?? outputKey)
        }
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
