import Foundation
import SteplinePipeline
import SteplineSupport

/// A step of a workflow file that has failed: which, where it stands, and why.
struct FlowFailure: LocalizedError, ErrorWithCause, CustomStringConvertible {
    /// What the step does.
    let step: String
    /// Where it stands in the file, or the part of it that is at fault.
    let place: String
    let attempts: Int
    /// What went wrong, in words.
    let cause: String
    let underlying: (any Error)?

    /// One line: `load (weather.json5:23:11): GET http://…: status 404`.
    var description: String {
        let tries = attempts > 1 ? " after \(attempts) attempts" : ""
        return "\(step) (\(place))\(tries): \(cause)"
    }

    var errorDescription: String? { description }
}

/// A mistake that a formula has made while it was computed.
struct FlowFault: Error, CustomStringConvertible {
    let offset: Int
    let description: String
}
