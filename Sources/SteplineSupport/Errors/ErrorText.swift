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

    /// The error in one line, where the name of what it has happened to is told before it.
    package static func line(_ error: (any Error)?, of name: String) -> String {
        withoutName(name, line(error))
    }

    /// A text without the name that it begins with, which is told already.
    package static func withoutName(_ name: String, _ text: String) -> String {
        text.hasPrefix("\(name): ") ? String(text.dropFirst(name.count + 2)) : text
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
