import Foundation

/// A step with a synchronous body: override ``process(_:)``.
///
///     final class CountWords: BasicStep<String, Int>, @unchecked Sendable {
///         override func process(_ text: String) -> Int { text.split(separator: " ").count }
///     }
///
/// The input has the key ``inputKey`` and the output the key ``outputKey``. The defaults are the entries for values of
/// these types (``ContentKey/body``).
open class BasicStep<Input: Sendable, Output: Sendable>: StepOperation, TypedStep, @unchecked Sendable {
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
    ///
    /// A cancellation doesn't interrupt this method; long implementations should check `context.isCancelled`.
    open func process(_ input: Input) throws -> Output {
        throw PipelineError.notImplemented(type(of: self), "process(_:)")
    }

    final override func takeKeys(of other: StepOperation) {
        if let other = other as? Self { given = other.given }
    }

    /// Does nothing: ``process(_:)`` is the body.
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
    /// The key as a list for a step's declarations; empty for ``nothing``.
    var declared: [AnyContentKey] { slot == .nothing ? [] : [erased] }
}
