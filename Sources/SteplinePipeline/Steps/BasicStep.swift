import Foundation

/// A step whose body is a function: override ``process(_:)``, and nothing else need be known.
///
///     final class CountWords: BasicStep<String, Int>, @unchecked Sendable {
///         override func process(_ text: String) -> Int { text.split(separator: " ").count }
///     }
///
/// The input is read from ``inputKey`` and the output stored under ``outputKey``, by default where values of
/// these types belong (``ContentKey/body``).
open class BasicStep<Input: Sendable, Output: Sendable>: StepOperation, TypedStep, @unchecked Sendable {
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
    ///
    /// Runs to its end even if the step is cancelled meanwhile; a long one may look at `context.isCancelled`.
    open func process(_ input: Input) throws -> Output {
        throw PipelineError.notImplemented(type(of: self), "process(_:)")
    }

    final override func takeKeys(of other: StepOperation) {
        if let other = other as? Self { given = other.given }
    }

    /// Never called: the body is ``process(_:)``.
    public final override func main() {}

    final override func runBody(_ context: StepContext, _ bag: Content) -> AttemptEnd? {
        do {
            let output = try process(bag.value(for: given?.input ?? inputKey))
            return .succeeded(bag.storing(output, for: given?.output ?? outputKey))
        } catch {
            return .failed(error)
        }
    }
}

extension ContentKey {
    /// The key as a step declares it: none for ``nothing``.
    var declared: [AnyContentKey] { slot == .nothing ? [] : [erased] }
}
