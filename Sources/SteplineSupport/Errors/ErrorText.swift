import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The text of errors for logs, events, reports, stores and messages.
package enum ErrorText {
    /// Returns the error as a single line without secrets; empty for no error.
    ///
    /// Reads the error's description, which is user code: never call this under a lock.
    package static func line(_ error: (any Error)?) -> String {
        guard let error else { return "" }
        return Redaction.standard.text(withoutBreaks(words(of: error)))
    }

    /// Returns the error as a single line, without the name at its beginning that the caller shows itself.
    package static func line(_ error: (any Error)?, of name: String) -> String {
        withoutName(name, line(error))
    }

    /// Returns a text without a name at its beginning.
    package static func withoutName(_ name: String, _ text: String) -> String {
        text.hasPrefix("\(name): ") ? String(text.dropFirst(name.count + 2)) : text
    }

    /// Returns a text without line breaks, so a log entry stays one line.
    package static func withoutBreaks(_ text: String) -> String {
        guard text.contains(where: \.isNewline) else { return text }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static func words(of error: any Error) -> String {
        if let error = error as? URLError {
            // The description of `URLError` is a dump of its user info.
            return "URLError \(error.code.rawValue): \(error.localizedDescription)"
        }
        return (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
}
