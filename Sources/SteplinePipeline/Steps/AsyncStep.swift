import Foundation
import SteplineEngine
import SteplineSupport

/// A step whose body is an `async` function: override ``process(_:)``.
///
/// It holds no thread while it waits. Cancelling the step, or its time-out, cancels the Swift task that the
/// body runs in.
open class AsyncStep<Input: Sendable, Output: Sendable>: StepOperation, TypedStep, @unchecked Sendable {
    // Subclasses are `@unchecked` too: what they add is theirs to protect, best by `let`.

    final var given: GivenKeys<Input, Output>?

    /// The entry that ``process(_:)`` gets.
    open var inputKey: ContentKey<Input> { .body }

    /// The entry that its result is stored under.
    open var outputKey: ContentKey<Output> { .body }

    /// The entries the step reads: ``inputKey``, unless overridden to declare more.
    open override var inputs: [AnyContentKey] { (given?.input ?? inputKey).declared }

    /// The entries the step writes: ``outputKey``, unless overridden to declare more.
    open override var outputs: [AnyContentKey] { (given?.output ?? outputKey).declared }

    /// Turns the input into the output; an error thrown fails the step.
    open func process(_ input: Input) async throws -> Output {
        throw PipelineError.notImplemented(type(of: self), "process(_:)")
    }

    final override func takeKeys(of other: StepOperation) {
        if let other = other as? Self { given = other.given }
    }

    /// Never called: the body is ``process(_:)``.
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
    /// Runs an async body in a Swift task that is cancelled when the attempt is told to stop.
    func runInTask(
        _ context: StepContext, _ body: @escaping @Sendable () async throws -> Content
    ) -> AttemptEnd? {
        let task = Stages.task { [self] in
            do {
                // Cancelled before it has begun, it never does.
                try Task.checkCancellation()
                end(attempt: context.attempt, error: nil, content: try await body(), inTask: true)
            } catch {
                end(attempt: context.attempt, error: error, content: nil, inTask: true)
            }
        }
        context.onCancel { task.cancel() }
        return nil
    }
}
