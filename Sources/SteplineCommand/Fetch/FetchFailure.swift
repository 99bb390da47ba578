import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRequests
import SteplineSteps
import SteplineSupport
import SteplineXML

/// Why a URL couldn't be fetched, in one line that begins with it.
struct FetchFailure: LocalizedError, ErrorWithCause, CustomStringConvertible {
    let description: String
    let underlying: (any Error)?

    var errorDescription: String? { description }

    init(_ url: URL, _ error: any Error) {
        underlying = error
        let (cause, attempts) = PipelineError.cause(of: error)
        let tries = attempts > 1 ? " (after \(attempts) attempts)" : ""
        let text: String
        switch cause {
        case let error as RequestError: text = "\(error)"
        case let error as FileError: text = "\(url.withoutSecrets): \(error)"
        case let error as JSONError: text = "\(url.withoutSecrets): JSON: \(error)"
        case let error as XMLError:
            let own = error.code == .query ? "--select: \(error.message)" : "\(error)"
            text = "\(url.withoutSecrets): \(own)"
        case let error as PipelineError: text = "\(url.withoutSecrets): \(error)"
        default:
            let own = (cause as? any LocalizedError)?.errorDescription ?? "\(cause)"
            text = "\(url.withoutSecrets): \(own)"
        }
        description = Session.oneLine(text + tries)
    }
}

/// What came isn't what was to be parsed.
struct ContentError: LocalizedError, CustomStringConvertible {
    let description: String

    var errorDescription: String? { description }
}
