import Foundation
import SteplineSupport

/// An element of a mapped task has failed, and so has the task.
struct FlowElementFailure: LocalizedError, ErrorWithCause, CustomStringConvertible {
    let element: String
    let underlying: (any Error)?

    /// Takes over the element of an inner failure: its name begins with the names of the outer tasks.
    init(element: String, underlying: (any Error)?) {
        let inner = underlying as? FlowElementFailure
        self.element = inner?.element ?? element
        self.underlying = inner?.underlying ?? underlying
    }

    var description: String {
        "\(element): \(underlying.map { ErrorText.line($0, of: element) } ?? "was cancelled")"
    }
    var errorDescription: String? { description }
}
