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
        case let error as RequestError: text = Self.text(error, url)
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

    /// The error's own line, behind the URL that was asked for where a redirect has led elsewhere.
    private static func text(_ error: RequestError, _ url: URL) -> String {
        let text = "\(error)" + wait(error)
        return text.contains(url.withoutSecrets + ":") ? text : "\(url.withoutSecrets): \(text)"
    }

    /// When the server wants to be asked again, if it has said so.
    private static func wait(_ error: RequestError) -> String {
        switch error.retryAfter {
        case .delay(let delay): "; ask again in \(delay.components.seconds) seconds"
        case .date(let date): "; ask again at \(date.formatted(.iso8601))"
        case nil: ""
        }
    }
}
