import Foundation

/// A step with a synchronous body: override ``process(_:)``.
///
///     final class CountWords: BasicStep<String, Int>, @unchecked Sendable {
///         override func process(_ text: String) -> Int { text.split(separator: " ").count }
///     }
///
/// The input is read from ``KeyedStep/inputKey`` and the output stored under ``KeyedStep/outputKey``, by default where
/// values of these types belong (``ContentKey/body``).
open class BasicStep<Input: Sendable, Output: Sendable>: KeyedStep<Input, Output>, @unchecked Sendable {
    /// Turns the input into the output.
    ///
    /// A cancellation doesn't interrupt this method; long implementations should check `context.isCancelled`.
    ///
    /// - Throws: An error that fails the step.
    open func process(_ input: Input) throws -> Output {
        throw PipelineError.notImplemented(type(of: self), "process(_:)")
    }

    final override func runBody(_ context: StepContext, _ bag: Content) -> AttemptEnd? {
        do {
            return .succeeded(storing(try process(try input(in: bag)), in: bag))
        } catch {
            return .failed(error)
        }
    }
}
