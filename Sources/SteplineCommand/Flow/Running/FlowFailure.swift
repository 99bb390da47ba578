import Foundation
import SteplinePipeline
import SteplineSupport

/// The failure of a step, with its place in the file.
struct FlowFailure: LocalizedError, ErrorWithCause, CustomStringConvertible {
    /// The description of the step.
    let step: String
    /// The place of the step, or of the faulty part.
    let place: String
    let attempts: Int
    /// The cause in words.
    let cause: String
    let underlying: (any Error)?

    /// The failure in one line: `load (weather.json5:23:11): GET http://…: status 404`.
    var description: String {
        let tries = attempts > 1 ? " after \(attempts) attempts" : ""
        return "\(step) (\(place))\(tries): \(cause)"
    }

    var errorDescription: String? { description }
}

extension FlowSetting {
    /// Creates the failure of a step after some attempts.
    func failure(
        of step: FlowStep, after attempts: Int, _ error: any Error, wording words: String? = nil
    ) -> FlowFailure {
        let mistake =
            error as? ExpressionError ?? (error as? any ErrorWithCause)?.underlying(as: ExpressionError.self)
        return failure(
            of: step.title, at: mistake?.offset ?? step.offset, after: attempts,
            words ?? ErrorText.line(error), error)
    }

    /// Creates the failure of a part of the file.
    func failure(
        of part: String, at offset: Int, after attempts: Int = 1, _ cause: String, _ underlying: (any Error)?
    ) -> FlowFailure {
        FlowFailure(
            step: part, place: "\(source.name):\(source.place(at: offset))", attempts: attempts, cause: cause,
            underlying: underlying)
    }

    /// Runs a closure and converts its errors to failures of a part of the file.
    ///
    /// The place is that of the faulty formula if there is one.
    func telling<Result>(_ part: String, at offset: Int, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error where !(error is FlowFailure || error is CancellationError) {
            let mistake = error as? ExpressionError
            throw failure(
                of: part, at: mistake?.offset ?? offset, mistake?.description ?? ErrorText.line(error), error)
        }
    }
}
