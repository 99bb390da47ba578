import Foundation

/// The base of ``BasicStep`` and ``AsyncStep``: one entry that is read, and one that is written.
///
/// Derive from one of the two.
open class KeyedStep<Input: Sendable, Output: Sendable>: StepOperation, TypedStep, @unchecked Sendable {
    // Subclasses are `@unchecked` too. They protect what they add, best by `let`.

    /// The keys given by ``reading(_:)`` or ``writing(_:)``; nil for the step's own.
    ///
    /// Set only before the step is added to a pipeline.
    final var given: GivenKeys?

    /// The entry that the body gets.
    open var inputKey: ContentKey<Input> { .body }

    /// The entry that the body's result is stored under.
    open var outputKey: ContentKey<Output> { .body }

    /// The entries the step reads: ``inputKey``, unless overridden to declare more.
    open override var inputs: [AnyContentKey] { (given?.input ?? inputKey).declared }

    /// The entries the step writes: ``outputKey``, unless overridden to declare more.
    open override var outputs: [AnyContentKey] { (given?.output ?? outputKey).declared }

    /// Never called: the body is `process(_:)`.
    public final override func main() {}

    final override func takeKeys(of other: StepOperation) {
        if let other = other as? Self { given = other.given }
    }

    /// Returns the input of the body.
    final func input(in bag: Content) throws -> Input { try bag.value(for: given?.input ?? inputKey) }

    /// Returns the content with the output of the body.
    final func storing(_ output: Output, in bag: Content) -> Content {
        bag.storing(output, for: given?.output ?? outputKey)
    }
}

extension KeyedStep {
    /// Keys that replace the step's own.
    final class GivenKeys: Sendable {
        let input: ContentKey<Input>?
        let output: ContentKey<Output>?

        init(input: ContentKey<Input>?, output: ContentKey<Output>?) {
            self.input = input
            self.output = output
        }
    }

    /// Sets the entry that the step reads, so that the step fits after any other.
    ///
    ///     CountWords().reading(.article).writing(.wordCount)
    public final func reading(_ key: ContentKey<Input>) -> ReadingStep<Input, Output> {
        ReadingStep(outputKey) { output in
            self.given = GivenKeys(input: key, output: output)
            return self
        }
    }

    /// Sets the entry that the step writes; the output of the step before stays in its place.
    public final func writing(_ key: ContentKey<Output>) -> WritingStep<Input, Output> {
        WritingStep(inputKey) { input in
            self.given = GivenKeys(input: input, output: key)
            return self
        }
    }
}

extension ContentKey {
    /// The key as a step declares it: none for ``nothing``.
    var declared: [AnyContentKey] { slot == .nothing ? [] : [erased] }
}
