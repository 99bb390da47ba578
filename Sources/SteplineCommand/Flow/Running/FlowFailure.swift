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
        return failure(
            of: step.title, at: fault?.offset ?? step.offset, after: attempts, words ?? ErrorText.line(error),
            error)
    }

    /// The failure of a part of the file that stands there.
    func failure(
        of part: String, at offset: Int, after attempts: Int = 1, _ cause: String, _ underlying: (any Error)?
    ) -> FlowFailure {
        FlowFailure(
            step: part, place: "\(source.name):\(source.place(at: offset))", attempts: attempts, cause: cause,
            underlying: underlying)
    }

    /// Has what fails in a part of the file that is no step name the part and its place.
    ///
    /// The place is that of the formula that is at fault, if one is.
    func telling<Result>(_ part: String, at offset: Int, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error where !(error is FlowFailure || error is CancellationError) {
            let mistake = error as? ExpressionError
            throw failure(
                of: part, at: mistake?.offset ?? offset, mistake?.told ?? ErrorText.line(error), error)
        }
    }
}

/// A mistake that a formula has made while it was computed.
struct FlowFault: Error, CustomStringConvertible {
    let offset: Int
    let description: String
}
