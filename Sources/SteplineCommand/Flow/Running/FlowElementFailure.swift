import Foundation
import SteplineSupport

/// The failure of a map's element, which fails the map.
struct FlowElementFailure: LocalizedError, ErrorWithCause, CustomStringConvertible {
    let element: String
    let underlying: (any Error)?

    /// Creates the failure; adopts the element of an inner failure, whose name includes the outer tasks.
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
