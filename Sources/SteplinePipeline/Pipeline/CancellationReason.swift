/// Why a pipeline was cancelled.
public struct CancellationReason: Sendable, Hashable, Codable, CustomStringConvertible {
    private enum Kind: String, Codable { case requested, unwanted, awaitingTask, step }

    private let kind: Kind
    private let text: String?

    /// Nobody is left who wants the result: the last success observer was removed.
    public static let unwanted = CancellationReason(kind: .unwanted, text: nil)

    /// The Swift task that awaited `run()` was cancelled.
    public static let awaitingTask = CancellationReason(kind: .awaitingTask, text: nil)

    /// Somebody called `cancel(reason:)`.
    public static func requested(_ text: String? = nil) -> CancellationReason {
        CancellationReason(kind: .requested, text: text)
    }

    /// A step was cancelled, or threw a `CancellationError` of its own.
    public static func step(_ position: StepPosition) -> CancellationReason {
        CancellationReason(kind: .step, text: "\(position)")
    }

    /// The reason as a phrase.
    public var description: String {
        switch kind {
        case .requested: text ?? "on request"
        case .unwanted: "nobody is left who wants the result"
        case .awaitingTask: "the task that awaited it was cancelled"
        case .step: "\(text ?? "a step") was cancelled"
        }
    }
}
