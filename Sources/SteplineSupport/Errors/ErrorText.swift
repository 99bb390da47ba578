import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The one text of an error: what logs, events, reports, stores and messages show of it.
package enum ErrorText {
    /// The error in one line, without secrets; empty for no error.
    ///
    /// Asks the error for its description, a user's code: never call it under a lock.
    package static func line(_ error: (any Error)?) -> String {
        guard let error else { return "" }
        return Redaction.standard.text(withoutBreaks(words(of: error)))
    }

    /// Text without line breaks, so that a log line stays one.
    package static func withoutBreaks(_ text: String) -> String {
        guard text.contains(where: \.isNewline) else { return text }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static func words(of error: any Error) -> String {
        if let error = error as? URLError {
            // Its own text is a dump of its user info.
            return "URLError \(error.code.rawValue): \(error.localizedDescription)"
        }
        return (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
}
