/// Why a pipeline was cancelled.
public struct CancellationReason: Sendable, Hashable, Codable, CustomStringConvertible {
    // Indirect, so that a pipeline that is never cancelled carries one word for it.
    private indirect enum Kind: Hashable, Codable {
        case requested(String?)
        case unwanted
        case awaitingTask
        case step(String)
    }

    private let kind: Kind

    /// Nobody is left who wants the result: the last success observer was removed.
    public static let unwanted = CancellationReason(kind: .unwanted)

    /// The Swift task that awaited `run()` was cancelled.
    public static let awaitingTask = CancellationReason(kind: .awaitingTask)

    /// Somebody called `cancel(reason:)`.
    public static func requested(_ text: String? = nil) -> CancellationReason {
        CancellationReason(kind: .requested(text))
    }

    /// A step was cancelled, or threw a `CancellationError` of its own.
    public static func step(_ position: StepPosition) -> CancellationReason {
        CancellationReason(kind: .step("\(position)"))
    }

    /// The reason as a phrase.
    public var description: String {
        switch kind {
        case .requested(let text): text ?? "on request"
        case .unwanted: "nobody is left who wants the result"
        case .awaitingTask: "the task that awaited it was cancelled"
        case .step(let position): "\(position) was cancelled"
        }
    }
}
