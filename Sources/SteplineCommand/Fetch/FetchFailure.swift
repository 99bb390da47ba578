import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRequests
import SteplineSteps
import SteplineSupport
import SteplineXML

/// The failure to fetch a URL, as one line that begins with the URL.
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
        case let error as RequestError: text = Self.text(error, url)
        case let error as PartlyWritten:
            text = FetchFailure(url, error.cause).description + "; a part of the body was written"
        case let error as FileError: text = "\(url.withoutSecrets): \(error)"
        case let error as JSONError: text = "\(url.withoutSecrets): JSON: \(error)"
        case let error as XMLError:
            let own = error.code == .query ? "--select: \(error.message)" : "\(error)"
            text = "\(url.withoutSecrets): \(own)"
        case let error as PipelineError: text = "\(url.withoutSecrets): \(error)"
        default:
            text = "\(url.withoutSecrets): \(ErrorText.line(cause))"
        }
        description = Session.oneLine(text + tries)
    }

    /// Returns the error's own line; puts the requested URL before it if a redirect led elsewhere.
    private static func text(_ error: RequestError, _ url: URL) -> String {
        let text = "\(error)" + wait(error) + (error.code == .tooLarge ? "; --max-size allows more" : "")
        return text.contains(url.withoutSecrets + ":") ? text : "\(url.withoutSecrets): \(text)"
    }

    /// Returns the server's `Retry-After` as a phrase; empty if there is none.
    private static func wait(_ error: RequestError) -> String {
        switch error.retryAfter {
        case .delay(let delay): "; ask again in \(delay.components.seconds) seconds"
        case .date(let date): "; ask again at \(date.formatted(.iso8601))"
        case nil: ""
        }
    }
}

/// A failure after a part of a body was written, so the load can't be repeated.
struct PartlyWritten: ErrorWithCause, RetryAdvising {
    let cause: any Error

    var underlying: (any Error)? { cause }

    let isTransient = false
}
