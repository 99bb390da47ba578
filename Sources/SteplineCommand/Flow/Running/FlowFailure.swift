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

extension FlowSetting {
    /// The failure of a step after some attempts, in terms of the file.
    func failure(
        of step: FlowStep, after attempts: Int, _ error: any Error, told words: String? = nil
    ) -> FlowFailure {
        let fault = error as? FlowFault ?? (error as? any ErrorWithCause)?.underlying(as: FlowFault.self)
        return FlowFailure(
            step: step.title, place: "\(source.name):\(source.place(at: fault?.offset ?? step.offset))",
            attempts: attempts,
            cause: words ?? ErrorText.line(error),
            underlying: error)
    }
}

/// A mistake that a formula has made while it was computed.
struct FlowFault: Error, CustomStringConvertible {
    let offset: Int
    let description: String
}
